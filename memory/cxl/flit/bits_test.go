package flit

import (
	"encoding/hex"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Sizes of messages as the specification's tables give them, CXL 2.0 and 3.1,
// sections 3.2 and 3.3.
func TestSizesOfMessages(t *testing.T) {
	want := map[Class][4]int{ // 68, 256, latency, pbr
		M2SReq: {87, 100, 100, 120}, M2SRwD: {87, 104, 104, 124}, M2SBIRsp: {0, 40, 40, 40},
		S2MNDR: {30, 40, 40, 48}, S2MDRS: {40, 40, 40, 48}, S2MBISnp: {0, 84, 84, 96},
		D2HReq: {79, 76, 76, 96}, D2HRsp: {20, 24, 24, 36}, D2HData: {17, 24, 24, 36},
		H2DReq: {64, 72, 72, 92}, H2DRsp: {32, 40, 40, 48}, H2DData: {24, 28, 28, 36},
	}
	require.Len(t, want, int(Classes))
	for c, w := range want {
		for m := range Modes {
			require.Equal(t, w[m], m.Bits(c), "%s in mode %s", c, m)
		}
	}
}

// Two DRS in slot 0 with an Ack and credits: every bit where CXL 2.0 has it.
func TestBitsOf68(t *testing.T) {
	p := NewPacker(Flit68, Up, DefaultLimits(Flit68))
	p.Push(Message{Class: S2MDRS, Tag: 0x1234, LD: 5, Low: 2, MetaField: 3})
	p.Push(Message{Class: S2MDRS, Tag: 0xFFFF, Flags: Poison})
	var f Flit
	var b [MaxBytes]byte
	require.True(t, p.Pack(&f))
	f.Ack = true
	f.Credits = Credits{Rsp: 1, Req: 0xC, Data: 0xF}
	f.Encode(Flit68, Up, &b)
	bit := func(at int) int { return int(b[2+at/8]>>(at%8)) & 1 }
	field := func(at, n int) (v int) {
		for i := range n {
			v |= bit(at+i) << i
		}
		return v
	}
	require.Equal(t, 0, field(0, 1), "type: messages")
	require.Equal(t, 1, field(2, 1), "Ak")
	require.Equal(t, 0, field(3, 1), "BE")
	require.Equal(t, 1, field(4, 1), "Sz")
	require.Equal(t, 5, field(5, 3), "slot 0: H5")
	require.Equal(t, 0, field(8, 9), "slots 1 to 3: data")
	require.Equal(t, 1, field(20, 4), "RspCrd")
	require.Equal(t, 0xC, field(24, 4), "ReqCrd")
	require.Equal(t, 0xF, field(28, 4), "DataCrd")
	for i, want := range []struct{ mf, tag, poison, ld, load int }{{3, 0x1234, 0, 5, 2}, {0, 0xFFFF, 1, 0, 0}} {
		at := 32 + 40*i
		require.Equal(t, 1, field(at, 1), "valid")
		require.Equal(t, 0, field(at+1, 3), "MemOpcode: MemData")
		require.Equal(t, want.mf, field(at+4, 2))
		require.Equal(t, want.tag, field(at+8, 16))
		require.Equal(t, want.poison, field(at+24, 1))
		require.Equal(t, want.ld, field(at+25, 4))
		require.Equal(t, want.load, field(at+29, 2))
	}
	require.Equal(t, "5555", hex.EncodeToString(b[:2]))
}

// In formats of two NDR the DevLoad fields stand after both.
func TestDevLoadsBehindNDR(t *testing.T) {
	p := NewPacker(Flit68, Up, DefaultLimits(Flit68))
	p.Push(Message{Class: S2MNDR, Tag: 0xAAAA, Low: 1})
	p.Push(Message{Class: S2MNDR, Tag: 0x5555, Low: 2})
	var f Flit
	var b [MaxBytes]byte
	require.True(t, p.Pack(&f))
	f.Encode(Flit68, Up, &b)
	require.EqualValues(t, 1, take(b[6:], 0, 1))
	require.EqualValues(t, 0xAAAA, take(b[6:], 8, 16))
	require.EqualValues(t, 1, take(b[6:], 28, 1))
	require.EqualValues(t, 0x5555, take(b[6:], 36, 16))
	require.EqualValues(t, 1, take(b[6:], 56, 2))
	require.EqualValues(t, 2, take(b[6:], 58, 2))
}

func TestPutAndTake(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at, n := rapid.IntRange(0, 60).Draw(t, "at"), rapid.IntRange(1, 64).Draw(t, "n")
		v := rapid.Uint64().Draw(t, "v") & (1<<n - 1)
		var b [16]byte
		put(b[:], at, n, v)
		require.Equal(t, v, take(b[:], at, n))
		set := 0
		for _, x := range b {
			set += bits.OnesCount8(x)
		}
		require.Equal(t, bits.OnesCount64(v), set, "nothing outside")
	})
}

func TestCreditCodes(t *testing.T) {
	for n := range 200 {
		code, k := Credit(n, true)
		back, mem := Returned(code)
		require.Equal(t, k, back)
		require.Equal(t, n > 0, mem)
		require.LessOrEqual(t, k, n)
		require.True(t, n == 0 || 2*k > n || k == 64, "the largest power of two")
	}
}

// A CRC finds every error of up to three bits in a 68 B flit, and every burst of
// 16. (All triples are too many; these are drawn.)
func TestCRCFindsErrors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Mode(rapid.IntRange(0, int(Modes)-1).Draw(t, "mode"))
		p := NewPacker(m, Up, DefaultLimits(m))
		p.Push(Message{Class: S2MDRS, Tag: rapid.Uint16().Draw(t, "tag")})
		var f Flit
		var b [MaxBytes]byte
		p.Pack(&f)
		n := f.Encode(m, Up, &b)
		require.True(t, Check(m, b[:n]))
		from, to := 2, n
		if m != Flit68 {
			from, to = 0, m.fecAt()
		}
		for range rapid.IntRange(1, 3).Draw(t, "errors") {
			i := rapid.IntRange(8*from, 8*to-1).Draw(t, "bit")
			b[i/8] ^= 1 << (i % 8)
		}
		if same := Check(m, b[:n]); same {
			var g [MaxBytes]byte
			f.Encode(m, Up, &g)
			require.Equal(t, g[:n], b[:n], "an error was not found")
		}
	})
}

// The FEC repairs a burst of three bytes anywhere.
func TestFECRepairsABurst(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, m := range []Mode{Flit256, FlitLatency, FlitPBR} {
		p := NewPacker(m, Down, DefaultLimits(m))
		for i := range 9 {
			p.Push(Message{Class: M2SRwD, Tag: uint16(i), Line: &Line{Data: [64]byte{1, 2, 3, byte(i)}}})
		}
		var f Flit
		var good [MaxBytes]byte
		p.Pack(&f)
		f.Encode(m, Down, &good)
		for at := range MaxBytes - 2 {
			b := good
			for k := range 3 {
				b[at+k] ^= byte(1 + r.IntN(255))
			}
			_, ok := Correct(m, b[:])
			// a burst across the FEC's own bytes may hit a group twice
			if at+2 >= m.fecAt() && at < m.fecAt() || at < m.fecAt()+6 && at+2 >= m.fecAt() {
				continue
			}
			require.True(t, ok, "mode %s at %d", m, at)
			require.Equal(t, good, b, "mode %s at %d", m, at)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	for m := range Modes {
		p := NewPacker(m, Up, DefaultLimits(m))
		for i := range 7 {
			p.Push(Message{Class: S2MDRS, Tag: uint16(i)})
			p.Push(Message{Class: S2MNDR, Tag: uint16(i)})
		}
		var fl Flit
		var b [MaxBytes]byte
		for p.Pack(&fl) {
			f.Add(uint8(m), uint8(Up), b[:fl.Encode(m, Up, &b)])
		}
	}
	f.Fuzz(func(t *testing.T, mode, direction uint8, b []byte) {
		m, d := Mode(mode%uint8(Modes)), Direction(direction%2)
		n := m.Bytes()
		if len(b) < n {
			_, err := NewUnpacker(m, d).Unpack(b, &Flit{}, nil)
			require.Error(t, err)
			return
		}
		u := NewUnpacker(m, d)
		var fl Flit
		// the check codes are put right, or nothing would get past them
		for len(b) >= n {
			var whole [MaxBytes]byte
			copy(whole[:], b[:n])
			protect(m, &whole)
			if m == Flit68 {
				whole[0], whole[1] = 0x55, 0x55
			}
			_, err := u.Unpack(whole[:n], &fl, nil)
			if err != nil {
				return
			}
			b = b[n:]
		}
	})
}

// Packets of CXL.io come out of the flits they went into.
func TestIORoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Mode(rapid.IntRange(0, int(Modes)-1).Draw(t, "mode"))
		var in []TLP
		var bytes []byte
		size := 0
		for range rapid.IntRange(1, 10).Draw(t, "n") {
			p := TLP{Type: uint8(rapid.IntRange(0, 31).Draw(t, "type")), Wide: rapid.Bool().Draw(t, "wide"), HasData: rapid.Bool().Draw(t, "data")}
			p.Data = uint16(rapid.IntRange(1, 1024).Draw(t, "length"))
			if !p.HasData {
				p.Data &= 1023
			}
			p.Requests[3] = byte(len(in))
			in = append(in, p)
			bytes = m.AppendTLP(bytes, p)
			size += m.IOSize(p)
		}
		require.Len(t, bytes, size)
		var stream []byte
		var b [MaxBytes]byte
		flits := 0
		for rest := bytes; len(rest) > 0; flits++ {
			rest = EncodeIO(m, rest, &b)
			var err error
			stream, err = DecodeIO(m, b[:m.Bytes()], stream)
			require.NoError(t, err)
		}
		require.Equal(t, (size+m.IOBytes()-1)/m.IOBytes(), flits)
		var out []TLP
		for len(stream) > 0 {
			p, n, is, err := m.ReadTLP(stream)
			require.NoError(t, err)
			if is {
				out = append(out, p)
			}
			stream = stream[n:]
		}
		require.Equal(t, in, out)
	})
}

func FuzzReadTLP(f *testing.F) {
	f.Add(uint8(0), Flit68.AppendTLP(nil, TLP{HasData: true, Data: 16}))
	f.Add(uint8(1), Flit256.AppendTLP(nil, TLP{Wide: true}))
	f.Fuzz(func(t *testing.T, mode uint8, b []byte) {
		m := Mode(mode % uint8(Modes))
		for len(b) > 0 {
			_, n, _, err := m.ReadTLP(b)
			if err != nil {
				return
			}
			if n <= 0 || n > len(b)+4 {
				t.Fatalf("took %d of %d bytes", n, len(b))
			}
			b = b[min(n, len(b)):]
		}
	})
}
