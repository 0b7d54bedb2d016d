package address_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/address"
)

// 2 channels, 1 rank, 4 groups of 4 banks, 256 rows of 128 bursts.
var small = address.Geometry{1, 0, 2, 2, 8, 7}

func Example() {
	m, err := address.Parse("Ro-Ba-BG-Ch-Co", small)
	if err != nil {
		panic(err)
	}
	c := m.Decode(1<<12 | 3<<7 | 5)
	fmt.Println("row", c[address.Row], "bank", c[address.Bank], "group", c[address.BankGroup], "channel", c[address.Channel], "column", c[address.Column])
	// Output: row 1 bank 0 group 1 channel 1 column 5
}

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		text  string
		burst uint64
		want  address.Coord // Ch Ra BG Ba Ro Co
	}{
		{"Ro-Ba-BG-Ch-Co", 0b10101010_11_01_1_0000111, address.Coord{1, 0, 1, 3, 0b10101010, 7}},
		{"Ro-Ba-Co-BG-Ch", 0b10101010_11_0000111_01_1, address.Coord{1, 0, 1, 3, 0b10101010, 7}},
		{"Ro-Co:5-Ba-BG-Ch-Co:2", 0b10101010_00001_11_01_1_11, address.Coord{1, 0, 1, 3, 0b10101010, 7}},
		{"Ro-Co-Ba-BG-Ch-Co:2", 0b10101010_00001_11_01_1_11, address.Coord{1, 0, 1, 3, 0b10101010, 7}},
		{"Ro-Ba^Ro-BG^Ro[2]-Ch-Co", 0b00000110_11_01_1_0000111, address.Coord{1, 0, 0, 1, 6, 7}},
		{"Ro-Ba^Ro^Co-BG-Ch-Co", 0b00000110_11_01_1_0000001, address.Coord{1, 0, 1, 0, 6, 1}},
		// MOP4: bank group by column bits 0 and 1, bank by bits 2 and 3.
		// MOP4CLXOR: and the row by bits 4 to 6.
		{"MOP4CLXOR", 0b10101010_10100_00_01_1_10, address.Coord{1, 0, 1 ^ 2, 0, 0b10101010 ^ 0b101, 0b1010010}},
		{"MOP4", 0b10101010_00011_11_01_1_10, address.Coord{1, 0, 1 ^ 2, 0, 0b10101010, 0b0001110}},
	} {
		m, err := address.Parse(c.text, small)
		require.NoError(t, err)
		require.Equal(t, c.want, m.Decode(c.burst), c.text)
		require.Equal(t, c.burst, m.Encode(c.want), c.text)
		require.Equal(t, c.text, m.String())
		require.Equal(t, 20, m.Bits())
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"Ro-Ba-BG-Co":             `"Ro-Ba-BG-Co" places 0 of the 1 bits of Ch`,
		"Ro-Ba-BX-Ch-Co":          `column 7: unknown field "BX" (want one of: Ch, Ra, BG, Ba, Ro, Co)`,
		"":                        `column 1: unknown field "" (want one of: Ch, Ra, BG, Ba, Ro, Co)`,
		"Ro-Ba-BG-Ch-Co-Co":       "column 16: two pieces of Co without a number of bits",
		"Ro-Ba-BG-Ch-Co:9":        "column 13: Co has 7 bits",
		"hashed-Co:9":             "column 11: Co has 7 bits",
		"hashed-Co:x":             `column 11: "x" is no number of bits (want 0 to 31)`,
		"Ro-Ba-BG-Ch-Co:x":        `column 13: "x" is no number of bits (want 0 to 31)`,
		"Ro-Ba-BG-Ch-Co:+1":       `column 13: "+1" is no number of bits (want 0 to 31)`,
		"Ro-Ba-BG-Ch-Co:":         `column 13: "" is no number of bits (want 0 to 31)`,
		"Ro-Ba^Ba-BG-Ch-Co":       "column 4: Ba is permuted by itself",
		"Ro-Ba^BG-BG^Ro-Ch-Co":    `"Ro-Ba^BG-BG^Ro-Ch-Co" permutes Ba by BG, which is permuted itself`,
		"Ro-Ba^Ro[2-BG-Ch-Co":     `column 4: "Ro[2" is no bit of a field (want for example Ro[2])`,
		"Ro-Ba-BG-Ch-Co:5":        `"Ro-Ba-BG-Ch-Co:5" places 5 of the 7 bits of Co`,
		"Ro-Ba-BG-Ch-Co-Ra^Xy":    `column 16: unknown field "Xy" (want one of: Ch, Ra, BG, Ba, Ro, Co)`,
		"Ro-Ba-BG-Ch-Co:5-Co:2-9": `column 23: unknown field "9" (want one of: Ch, Ra, BG, Ba, Ro, Co)`,
	} {
		_, err := address.Parse(text, small)
		require.EqualError(t, err, want, text)
	}
	require.Panics(t, func() { address.New("x", small) })
	_, err := address.Parse("Ro", address.Geometry{0, 0, 0, 0, 32, 0})
	require.EqualError(t, err, "a field of 32 bits (want at most 31)")
}

var shapes = []string{
	"Ro-Ba-BG-Ra-Ch-Co", "Ch-Ra-Ba-BG-Ro-Co", "Ro-Co-Ba-BG-Ra-Ch", "MOP4", "MOP4CLXOR",
	"hashed", "hashed-Co:1", "Ro-Ba^Ro-BG^Ro[2]-Ra-Ch^Ro^Co-Co", "Ro-Ra^Co[1]-Ba^Co[3]-BG^Ro-Ch^Ro[4]-Co", "Ro-Ba-Ra-Co-BG-Ch^BG^Co[+1]^Ro",
}

// Every map is one to one within its geometry: what is decoded is within the
// fields' sizes and is encoded back.
func TestMapsAreBijective(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g address.Geometry
		for f := range g {
			g[f] = uint8(rapid.IntRange(least(address.Field(f)), 8).Draw(t, address.Field(f).String()))
		}
		m := address.New(rapid.SampledFrom(shapes).Draw(t, "map"), g)
		require.Equal(t, g.Bits(), m.Bits())
		a := rapid.Uint64Range(0, 1<<m.Bits()-1).Draw(t, "burst")
		c := m.Decode(a)
		for f, v := range c {
			require.Less(t, v, uint32(1)<<g[f], address.Field(f).String())
		}
		require.Equal(t, a, m.Encode(c))
		require.Equal(t, c, m.Decode(a|1<<63), "higher bits are ignored")
	})
}

// least is the fewest bits of a field in which every map of shapes can be written.
func least(f address.Field) int {
	if f == address.Column {
		return 1 // hashed-Co:1
	}
	return 0
}

// And onto: a small memory is covered.
func TestMapsAreOnto(t *testing.T) {
	g := address.Geometry{1, 1, 1, 2, 3, 3}
	for _, text := range shapes {
		m := address.New(text, g)
		seen := map[address.Coord]bool{}
		for a := range uint64(1) << m.Bits() {
			seen[m.Decode(a)] = true
		}
		require.Len(t, seen, 1<<g.Bits(), text)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range shapes {
		f.Add(s)
	}
	f.Add("Ro-Ba:1-Ba:1^Ro[31]-BG-Ch-Co:3-Co")
	f.Fuzz(func(t *testing.T, s string) {
		m, err := address.Parse(s, small)
		if err != nil {
			return
		}
		for a := uint64(0); a < 1<<m.Bits(); a += 7919 {
			if m.Encode(m.Decode(a)) != a {
				t.Fatalf("%q: %#x is not its own", s, a)
			}
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	b.ReportAllocs()
	m := address.New("MOP4", small)
	sum := uint32(0)
	for i := range b.N {
		sum += m.Decode(uint64(i))[address.Bank]
	}
	_ = sum
}

// Bursts that differ in bits of the stripe only differ in their channel only, and fill an
// aligned block of channels.
func TestStripe(t *testing.T) {
	g := address.Geometry{address.Channel: 4, address.Rank: 1, address.BankGroup: 2, address.Bank: 2, address.Row: 6, address.Column: 5}
	for text, want := range map[string]int{
		"Ro-Ba-BG-Ra-Co-Ch": 4, "Ro-Ba^Ro-BG-Ra-Co-Ch^Ro^Co[1]": 4, "Ro-Ba-Ch:1-BG-Ra-Co-Ch": 3,
		"Ro-Ba^Ch-BG-Ra-Co-Ch": 0, "Ro-Ba-BG-Ra-Ch-Co": 0, "MOP4": 0,
	} {
		m := address.New(text, g)
		require.Equal(t, want, m.Stripe(), text)
		for k := range want + 1 {
			for burst := uint64(0); burst < 1<<m.Bits(); burst += 1<<k + 1<<11 {
				first := m.Decode(burst &^ (1<<k - 1))
				lowest := first[address.Channel] &^ (1<<k - 1)
				seen := uint32(0)
				for i := range uint64(1) << k {
					at := m.Decode(burst&^(1<<k-1) + i)
					seen |= 1 << (at[address.Channel] - lowest)
					at[address.Channel] = first[address.Channel]
					require.Equal(t, first, at, text)
				}
				require.Equal(t, uint32(1<<(1<<k)-1), seen, text)
			}
		}
	}
}
