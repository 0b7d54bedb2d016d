package flit

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// rate is the share of the link's bytes that are data, when count messages of a
// class wait.
func rate(m Mode, c Class, l Limits) float64 {
	p := NewPacker(m, c.Direction(), l)
	const lines = 6000
	for range lines {
		p.Push(Message{Class: c})
	}
	var f Flit
	flits := 0
	for p.Pack(&f) {
		flits++
	}
	return 64 * lines / float64(flits*m.Bytes())
}

func TestSteadyState(t *testing.T) {
	one := DefaultLimits(Flit68)
	one[S2MDRS] = 1
	all := Limits{}
	for _, c := range []struct {
		name string
		mode Mode
		c    Class
		l    Limits
		want float64 // closed form, see doc.go
	}{
		{"reads, one DRS per flit", Flit68, S2MDRS, one, 64. / (5 * 17)},
		{"reads, two DRS in slot 0", Flit68, S2MDRS, DefaultLimits(Flit68), 128. / (9 * 17)},
		{"reads without limits", Flit68, S2MDRS, all, 128. / (9 * 17)},
		{"writes", Flit68, M2SRwD, DefaultLimits(Flit68), 64. / (5 * 17)},
		{"256 B reads", Flit256, S2MDRS, DefaultLimits(Flit256), 64 * 44. / 13 / 256},
		{"256 B writes", Flit256, M2SRwD, DefaultLimits(Flit256), 64 * 3. / 256},
		// slots 0 and 8 hold enough headers: 13 slots of data
		{"latency reads", FlitLatency, S2MDRS, DefaultLimits(FlitLatency), 64 * 13. / 4 / 256},
		// slot 8 cannot hold a write header: 13 = 4L + (L-1), the header of slot 0
		{"latency writes", FlitLatency, M2SRwD, DefaultLimits(FlitLatency), 64 * 14. / 5 / 256},
		// 96 bits: two headers in any slot
		{"pbr reads", FlitPBR, S2MDRS, DefaultLimits(FlitPBR), 64 * 10. / 3 / 256},
		// slot 0 cannot hold a write header: 14 = 5L
		{"pbr writes", FlitPBR, M2SRwD, DefaultLimits(FlitPBR), 64 * 14. / 5 / 256},
	} {
		got := rate(c.mode, c.c, c.l)
		t.Logf("%-28s %.4f closed form %.4f", c.name, got, c.want)
		require.InDelta(t, c.want, got, 0.002, c.name)
	}
}

// Mixes of DRS and NDR that wait all the time: no more than 2% above the slots a line
// of the best of all ways to fill them, and 4% where they are nearly as many. With n NDR
// a line the best is 4.5 + n/4 up to 2/3 (two DRS in slot 0 take 9 slots; two NDR there
// and three DRS after 14), and half a slot for each NDR from there on (two in slot 0,
// data behind).
func TestMixesOfAnswers(t *testing.T) {
	for _, mix := range [][2]int{{1, 0}, {19, 1}, {9, 1}, {3, 1}, {2, 1}, {3, 2}, {58, 42}, {4, 3}, {10, 9}, {1, 1}} {
		p := NewPacker(Flit68, Up, DefaultLimits(Flit68))
		n := float64(mix[1]) / float64(mix[0])
		slots := 4.5 + n/4
		if n > 2./3 {
			slots = 14./3 + (n-2./3)/2
		}
		var f Flit
		drs, ndr, flits, lines := 0, 0, 0, 0
		for flits < 20000 {
			for p.Waiting() < 400 { // in the ratio of the mix
				if ndr*mix[0] < drs*mix[1] {
					p.Push(Message{Class: S2MNDR})
					ndr++
				} else {
					p.Push(Message{Class: S2MDRS})
					drs++
				}
			}
			p.Pack(&f)
			if flits++; flits > 4000 { // waiting messages have their own mix by then
				lines += int(f.Finished)
			}
		}
		got := 4 * float64(flits-4000) / float64(lines)
		t.Logf("%d:%d %.4f slots a line, best %.4f: %.1f%%", mix[0], mix[1], got, slots, 6400/17/got)
		require.Greater(t, got, slots-0.002, "%v", mix)
		above := 1.02
		if n > 0.8 {
			above = 1.04
		}
		require.Less(t, got, above*slots, "%v", mix)
	}
}

// Capacity of a 256 B flit: 238 B in slots.
func TestCapacity(t *testing.T) {
	for m, want := range map[Mode]int{Flit68: 60, Flit256: 238, FlitPBR: 238, FlitLatency: 234} {
		n := 0
		for i := range m.Slots() {
			n += m.SlotBytes(i)
		}
		require.Equal(t, want, n, m.String())
	}
}

// stream draws messages of one direction.
func stream(t *rapid.T, m Mode, d Direction, most int) []Message {
	first, end := d.classes()
	var classes []Class
	for c := first; c < end; c++ {
		if m.Bits(c) > 0 {
			classes = append(classes, c)
		}
	}
	some := rapid.SliceOfNDistinct(rapid.SampledFrom(classes), 1, len(classes), rapid.ID).Draw(t, "classes")
	var out []Message
	for i := range rapid.IntRange(1, most).Draw(t, "n") {
		b := rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "fields")
		msg := Message{
			Class: rapid.SampledFrom(some).Draw(t, "class"), Ref: uint32(i),
			Addr: uint64(b[0])<<44 | uint64(b[1])<<20 | uint64(b[2])<<5, Tag: uint16(b[3])<<8 | uint16(b[4]),
			SPID: uint16(b[5]) << 4, DPID: uint16(b[6]) << 3, Aux: uint16(b[7]) << 4,
			Opcode: b[8], SnpType: b[9], MetaField: b[10], MetaValue: b[11], TC: b[12], LD: b[13], Low: b[14], Flags: Flags(b[15]),
		}
		ref := msg.Ref
		msg.Ref = 0
		msg = m.Kept(msg)
		msg.Ref = ref
		if msg.Class.HasData() {
			msg.Line = &Line{}
			for k := range msg.Line.Data {
				msg.Line.Data[k] = byte(i*7 + k*13)
			}
			if msg.Flags&ByteEnables != 0 {
				msg.Line.BE = uint64(i)*0x9E3779B97F4A7C15 | 1
			}
		}
		out = append(out, msg)
	}
	return out
}

// What is packed comes out, complete, each class in its order, for every mode,
// direction and mix; and no flit breaks a rule.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Mode(rapid.IntRange(0, int(Modes)-1).Draw(t, "mode"))
		most := int(Up)
		if m == FlitPBR {
			most = int(Either)
		}
		d := Direction(rapid.IntRange(0, most).Draw(t, "direction"))
		in := stream(t, m, d, 60)
		limits := DefaultLimits(m)
		if rapid.Bool().Draw(t, "no limits") {
			limits = Limits{}
		}
		p, u := NewPacker(m, d, limits), NewUnpacker(m, d)
		var f, g Flit
		var b [MaxBytes]byte
		var out []Message
		next, finished := 0, 0
		for next < len(in) || p.Ready() {
			for range rapid.IntRange(0, 8).Draw(t, "arrivals") {
				if next < len(in) {
					p.Push(in[next])
					next++
				}
			}
			some := p.Pack(&f)
			f.Ack = m == Flit68 && !f.AllData && next%3 == 0
			if !f.AllData {
				f.Credits = Credits{Req: uint8(next % 16), Data: uint8(next / 2 % 16), Rsp: uint8(next / 3 % 16)}
			}
			n := f.Encode(m, d, &b)
			require.Equal(t, m.Bytes(), n)
			before := len(out)
			var err error
			out, err = u.Unpack(b[:n], &g, out)
			require.NoError(t, err)
			require.Equal(t, p.Owed(), u.Owed())
			require.Equal(t, f.Finished, g.Finished)
			require.Equal(t, f.Credits, g.Credits)
			require.Equal(t, f.Ack, g.Ack)
			require.Equal(t, len(f.Messages), len(g.Messages))
			require.True(t, some || len(out) == before)
			checkFlit(t, m, limits, &f)
			finished += int(f.Finished)
		}
		require.Zero(t, p.Owed())
		require.Zero(t, p.Waiting())
		var want, got [Classes][]Message
		data := 0
		for _, x := range in {
			x.Ref = 0
			want[x.Class] = append(want[x.Class], x)
			if x.Class.HasData() {
				data++
			}
		}
		for _, x := range out {
			got[x.Class] = append(got[x.Class], x)
		}
		require.Equal(t, want, got)
		require.Equal(t, data, finished)
	})
}

// checkFlit holds a flit against the rules, by counting.
func checkFlit(t *rapid.T, m Mode, l Limits, f *Flit) {
	var n [2][Classes]int
	enabled, plain := 0, 0
	for i := range m.Slots() {
		s := f.Slots[i]
		if m.shape(i) != shapeG && !f.AllData {
			require.Contains(t, []Kind{Empty, Header}, s.Kind, "slot %d", i)
		}
		if s.Kind != Header {
			continue
		}
		bits := 0
		if m != Flit68 {
			bits = 4
		}
		for _, x := range f.Messages[s.First : s.First+s.Count] {
			n[m.group(i)][x.Class]++
			bits += m.Bits(x.Class)
			if x.Class.HasData() && x.Flags&ByteEnables != 0 {
				enabled++
			} else if x.Class.HasData() {
				plain++
			}
		}
		require.LessOrEqual(t, bits, 8*m.SlotBytes(i))
	}
	for g := range n {
		for c, k := range n[g] {
			if l[c] > 0 {
				require.LessOrEqual(t, k, int(l[c]), fmt.Sprint(Class(c)))
			}
		}
	}
	if m == Flit68 {
		require.True(t, enabled == 0 || plain == 0, "byte enables are told once per flit")
	}
}

// Data never take more of a 68 B flit than 3 lines in 13 slots, whatever else
// is sent, and with answers alone never less than one line in 5.
func TestBoundOfReads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limits := DefaultLimits(Flit68)
		if rapid.Bool().Draw(t, "no limits") {
			limits = Limits{}
		}
		reads, writes := rapid.IntRange(1, 9).Draw(t, "reads"), rapid.IntRange(0, 9).Draw(t, "writes")
		p := NewPacker(Flit68, Up, limits)
		const rounds = 200
		for range rounds {
			for k := range max(reads, writes) {
				if k < reads {
					p.Push(Message{Class: S2MDRS})
				}
				if k < writes {
					p.Push(Message{Class: S2MNDR})
				}
			}
		}
		var f Flit
		flits := 0
		for p.Pack(&f) {
			flits++
		}
		got := float64(64*reads*rounds) / float64(68*flits)
		require.LessOrEqual(t, got, 192./(13*17))
		if writes <= reads {
			require.GreaterOrEqual(t, got, 0.99*64/(5*17))
		}
	})
}

// No class starves: a request after writes that never end leaves at once, since
// it is the oldest by then.
func TestOldestFirst(t *testing.T) {
	p := NewPacker(Flit68, Down, DefaultLimits(Flit68))
	for range 10 {
		p.Push(Message{Class: M2SRwD})
	}
	p.Push(Message{Class: M2SReq, Tag: 99})
	var f Flit
	for n := 1; ; n++ {
		for range 3 {
			p.Push(Message{Class: M2SRwD})
		}
		require.True(t, p.Pack(&f))
		for _, m := range f.Messages {
			if m.Class == M2SReq {
				// 10 writes take 12.5 flits
				require.LessOrEqual(t, n, 14)
				return
			}
		}
		require.Less(t, n, 20)
	}
}

func TestCreditsBindThePacker(t *testing.T) {
	var credits [Classes]int
	credits[S2MDRS], credits[S2MNDR] = 3, 0
	p := NewPacker(Flit68, Up, DefaultLimits(Flit68))
	p.Credits = &credits
	for range 5 {
		p.Push(Message{Class: S2MDRS})
		p.Push(Message{Class: S2MNDR})
	}
	var f Flit
	sent := 0
	for p.Pack(&f) {
		sent += len(f.Messages)
	}
	require.Equal(t, 3, sent)
	require.Equal(t, 7, p.Waiting())
	require.False(t, p.Ready())
	credits[S2MNDR] = 1
	require.True(t, p.Pack(&f))
	require.Equal(t, S2MNDR, f.Messages[0].Class)
}

func BenchmarkPackReads(b *testing.B) { benchmarkPack(b, Flit68, S2MDRS) }

func BenchmarkPack256Reads(b *testing.B) { benchmarkPack(b, Flit256, S2MDRS) }

func benchmarkPack(b *testing.B, m Mode, c Class) {
	p := NewPacker(m, c.Direction(), DefaultLimits(m))
	var f Flit
	b.ReportAllocs()
	for range b.N {
		for p.Waiting() < 16 {
			p.Push(Message{Class: c})
		}
		p.Pack(&f)
	}
}

func TestPackingMakesNoGarbage(t *testing.T) {
	for m := range Modes {
		for _, c := range []Class{M2SReq, M2SRwD, S2MDRS, S2MNDR} {
			p := NewPacker(m, c.Direction(), DefaultLimits(m))
			var f Flit
			var b [MaxBytes]byte
			step := func() {
				for p.Waiting() < 32 {
					p.Push(Message{Class: c})
				}
				p.Pack(&f)
				f.Encode(m, c.Direction(), &b)
			}
			for range 20 {
				step()
			}
			require.Zero(t, testing.AllocsPerRun(50, step))
		}
	}
}

// Fill sends what Pack sends, of any mix of messages and credits.
func TestFillIsPack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Mode(rapid.IntRange(0, int(Modes)-1).Draw(t, "mode"))
		d := Direction(rapid.IntRange(0, 1).Draw(t, "direction"))
		a, b := NewPacker(m, d, DefaultLimits(m)), NewPacker(m, d, DefaultLimits(m))
		var ca, cb [Classes]int
		a.Credits, b.Credits = &ca, &cb
		first, end := d.classes()
		var f Flit
		var c Content
		for range rapid.IntRange(1, 60).Draw(t, "flits") {
			for range rapid.IntRange(0, 5).Draw(t, "messages") {
				x := Class(rapid.IntRange(int(first), int(end)-1).Draw(t, "class"))
				if m.Bits(x) == 0 {
					continue
				}
				msg := Message{Class: x, Ref: rapid.Uint32().Draw(t, "ref")}
				a.Push(msg)
				b.Push(msg)
				ca[x] += rapid.IntRange(0, 2).Draw(t, "credits")
				cb[x] = ca[x]
			}
			require.Equal(t, a.Pack(&f), b.Fill(&c))
			require.Equal(t, f.Messages, append(f.Messages[:0:0], c.Messages...))
			require.Equal(t, [3]any{f.Finished, f.AllData, f.BE}, [3]any{c.Finished, c.AllData, c.BE})
			require.Equal(t, ca, cb)
		}
	})
}
