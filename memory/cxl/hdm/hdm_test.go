package hdm_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/cxl/hdm"
)

func Example() {
	d := hdm.Decoder{Base: 4 << 30, Size: 3 << 30, Ways: 3, Granularity: 1024}
	for _, host := range []uint64{4 << 30, 4<<30 + 1024, 4<<30 + 2048, 4<<30 + 3072 + 5} {
		way, offset := d.Decode(host)
		fmt.Printf("%#x: way %d, offset %d\n", host, way, offset)
	}
	// Output:
	// 0x100000000: way 1, offset 0
	// 0x100000400: way 2, offset 0
	// 0x100000800: way 0, offset 0
	// 0x100000c05: way 1, offset 1029
}

// The dumb twin walks a range turn by turn and deals the turns out: every device
// gets the same number, in order, and no two are at one place.
func TestTurnsAreDealtOut(t *testing.T) {
	for _, ways := range hdm.Ways {
		for _, g := range []uint64{256, 1024, 16384} {
			for _, base := range []uint64{0, hdm.Unit, 5 * hdm.Unit} {
				d := hdm.Decoder{Base: base, Size: 12 * hdm.Unit, Ways: ways, Granularity: g}
				if ways == 16 || ways == 8 {
					d.Size = 16 * hdm.Unit
				}
				require.NoError(t, d.Check())
				next := make([]uint64, ways)
				for turn := range uint64(4 * ways * 3) {
					host := base + turn*g
					way, offset := d.Decode(host + 7)
					require.Equal(t, next[way]+7, offset, "ways %d, granularity %d, base %#x, turn %d", ways, g, base, turn)
					next[way] += g
				}
				for w := range next {
					require.Equal(t, next[0], next[w], "ways %d", ways)
				}
			}
		}
	}
}

// The specification's formula for ways, bit by bit: IW 0-4, and 8-10 for 3, 6, 12.
func TestFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		iw := rapid.SampledFrom([]uint{0, 1, 2, 3, 4, 8, 9, 10}).Draw(t, "IW")
		ig := uint(rapid.IntRange(0, 6).Draw(t, "IG"))
		ways := 1 << iw
		if iw >= 8 {
			ways = 3 << (iw - 8)
		}
		base := rapid.Uint64Range(0, 1<<15).Draw(t, "base") * hdm.Unit
		d := hdm.Decoder{Base: base, Size: 48 * hdm.Unit, Ways: ways, Granularity: 256 << ig}
		require.NoError(t, d.Check())
		host := base + rapid.Uint64Range(0, d.Size-1).Draw(t, "address")
		off := host - base
		var way, dpa uint64
		low := off & (1<<(ig+8) - 1)
		if iw < 8 {
			way = host >> (ig + 8) & (1<<iw - 1)
			dpa = off>>(ig+iw+8)<<(ig+8) | low
		} else {
			bits := iw - 8
			way = host>>(ig+8)&(1<<bits-1) | host>>(ig+iw)%3<<bits
			dpa = off>>(ig+iw)/3<<(ig+8) | low
		}
		w, o := d.Decode(host)
		require.EqualValues(t, way, w)
		require.Equal(t, dpa, o)
		require.Equal(t, host, d.Encode(w, o))
		require.Less(t, o, d.Share())
		// the whole run is on one device
		last := host + d.Run(host) - 1
		w2, o2 := d.Decode(last)
		require.Equal(t, w, w2)
		require.Equal(t, o+d.Run(host)-1, o2)
	})
}

func TestSpace(t *testing.T) {
	const u = hdm.Unit
	s, err := hdm.NewSpace([]uint64{8 * u, 4 * u, 0},
		hdm.Range{Decoder: hdm.Decoder{Base: 12 * u, Size: 4 * u, Ways: 1, Granularity: 256}, Devices: []int{0}},
		hdm.Range{Decoder: hdm.Decoder{Base: 4 * u, Size: 8 * u, Ways: 2, Granularity: 4096}, Devices: []int{1, 0}},
		hdm.Range{Decoder: hdm.Decoder{Base: 16 * u, Size: u, Ways: 1, Granularity: 256}, Devices: []int{2}})
	require.NoError(t, err)
	_, err = hdm.NewSpace([]uint64{8 * u},
		hdm.Range{Decoder: hdm.Decoder{Base: 0, Size: u, Ways: 1, Granularity: 256}, Devices: []int{0}},
		hdm.Range{Decoder: hdm.Decoder{Base: u, Size: 77 * u}, Elsewhere: true},
		hdm.Range{Decoder: hdm.Decoder{Base: 78 * u, Size: u, Ways: 1, Granularity: 256}, Devices: []int{0}})
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		host := rapid.Uint64Range(4*u, 17*u-1).Draw(t, "host")
		device, at, run, ok := s.Find(host)
		require.True(t, ok)
		require.Positive(t, run)
		back, ok := s.Host(device, at)
		require.True(t, ok)
		require.Equal(t, host, back)
	})
	for _, host := range []uint64{0, 4*u - 1, 17 * u, 1 << 60} {
		_, _, _, ok := s.Find(host)
		require.False(t, ok)
	}
	_, at, _, _ := s.Find(12 * u)
	require.Equal(t, uint64(4*u), at, "behind the device's share of the range before")
}

func TestFaults(t *testing.T) {
	const u = hdm.Unit
	_, err := hdm.NewSpace([]uint64{4 * u, 4 * u},
		hdm.Range{Decoder: hdm.Decoder{Base: 0, Size: 4 * u, Ways: 2, Granularity: 256}, Devices: []int{0, 1}},
		hdm.Range{Decoder: hdm.Decoder{Base: 3 * u, Size: 2 * u, Ways: 1, Granularity: 256}, Devices: []int{0}},
		hdm.Range{Decoder: hdm.Decoder{Base: 6 * u, Size: 4 * u, Ways: 1, Granularity: 256}, Devices: []int{1}},
		hdm.Range{Decoder: hdm.Decoder{Base: 10 * u, Size: 2 * u, Ways: 2, Granularity: 256}, Devices: []int{1, 1}},
		hdm.Range{Decoder: hdm.Decoder{Base: 12 * u, Size: 100, Ways: 5, Granularity: 128}, Devices: []int{0}})
	require.EqualError(t, err, `ranges at 0x0 and 0x30000000 overlap by 0x10000000 B
gap of 0x10000000 B between 0x50000000 and 0x60000000: addresses without a home
range at 0x60000000 takes 0x40000000 B of device 1, which has 0x20000000 B left
range at 0xa0000000 takes 0x10000000 B of device 1, which has 0x0 B left
range at 0xa0000000: device 1 has two ways
range at 0xc0000000: 5 ways (want one of: 1, 2, 3, 4, 6, 8, 12, 16)
granularity of 128 B (want a power of two from 256 B to 16 KiB)
size 0x64 is no multiple of 256 MiB`)
	require.EqualError(t, hdm.Decoder{Base: 7, Size: u, Ways: 12, Granularity: 16 << 10}.Check(),
		"base 0x7 is no multiple of 256 MiB\nsize 0x10000000 is no multiple of 12 ways of 16384 B")
}

func BenchmarkFind(b *testing.B) {
	s, err := hdm.NewSpace([]uint64{0, 0, 0}, hdm.Range{Decoder: hdm.Decoder{Base: 0, Size: 3 << 30, Ways: 3, Granularity: 1024}, Devices: []int{0, 1, 2}})
	require.NoError(b, err)
	b.ReportAllocs()
	sum := 0
	for i := range uint64(b.N) {
		d, _, _, _ := s.Find(i * 64 % (3 << 30))
		sum += d
	}
	_ = sum
}
