package flit

import "encoding/binary"

// A flit of 68 B has a CRC of 16 bits, polynomial 0x1F053 (CXL 2.0, section
// 4.2.8.1). Larger ones have codes over GF(2^8), as PCI Express 6.0 has them: a
// CRC of Reed-Solomon check bytes, and a forward correction of one byte in each of
// three interleaved groups.
//
// assumption: order of bits and bytes; the CRC of 6 B of FlitLatency is the same
// code with two roots less.

const (
	crcPolynomial = 0xF053
	fieldPolynom  = 0x12B // x^8 + x^5 + x^3 + x + 1
)

var (
	crcTable  [256]uint16
	power     [510]byte // of the field's generator
	logarithm [256]int
	generator [9][]byte // Reed-Solomon, by the number of check bytes
)

func init() {
	for i := range crcTable {
		c := uint16(i) << 8
		for range 8 {
			top := c >> 15
			c <<= 1
			if top != 0 {
				c ^= crcPolynomial
			}
		}
		crcTable[i] = c
	}
	x := 1
	for i := range 255 {
		power[i], power[i+255] = byte(x), byte(x)
		logarithm[x] = i
		if x <<= 1; x > 255 {
			x ^= fieldPolynom
		}
	}
	for _, n := range []int{6, 8} {
		g := []byte{1}
		for root := 1; root <= n; root++ {
			next := make([]byte, len(g)+1)
			for i, v := range g {
				next[i] ^= v
				next[i+1] ^= times(v, power[root])
			}
			g = next
		}
		generator[n] = g[1:]
	}
}

func times(a, b byte) byte {
	if a == 0 || b == 0 {
		return 0
	}
	return power[logarithm[a]+logarithm[b]]
}

func crc16(b []byte) (c uint16) {
	for _, v := range b {
		c = c<<8 ^ crcTable[byte(c>>8)^v]
	}
	return c
}

// checkBytes is the Reed-Solomon remainder of b, into to.
func checkBytes(b, to []byte) {
	g := generator[len(to)]
	clear(to)
	for _, v := range b {
		f := v ^ to[0]
		copy(to, to[1:])
		to[len(to)-1] = 0
		if f == 0 {
			continue
		}
		for i, c := range g {
			to[i] ^= times(f, c)
		}
	}
}

// A crcArea is what a CRC covers and where it is.
type crcArea struct{ from, to, at, bytes int }

func crcAreas(m Mode) []crcArea {
	if m == FlitLatency {
		return latencyAreas
	}
	return standardAreas
}

var (
	standardAreas = []crcArea{{0, 242, 242, 8}}
	latencyAreas  = []crcArea{{0, 122, 122, 6}, {128, 244, 250, 6}}
)

func (m Mode) fecAt() int {
	if m == FlitLatency {
		return 244
	}
	return 250
}

// protect writes CRC and FEC.
func protect(m Mode, b *[MaxBytes]byte) {
	if m == Flit68 {
		binary.LittleEndian.PutUint16(b[66:], crc16(b[2:66]))
		return
	}
	for _, a := range crcAreas(m) {
		checkBytes(b[a.from:a.to], b[a.at:a.at+a.bytes])
	}
	s := syndromes(b[:], m.fecAt())
	copy(b[m.fecAt():], s[:])
}

// Check reports whether the CRC of a flit matches.
func Check(m Mode, b []byte) bool {
	if m == Flit68 {
		return binary.LittleEndian.Uint16(b[66:]) == crc16(b[2:66])
	}
	var c [8]byte
	for _, a := range crcAreas(m) {
		checkBytes(b[a.from:a.to], c[:a.bytes])
		if string(c[:a.bytes]) != string(b[a.at:a.at+a.bytes]) {
			return false
		}
	}
	return true
}

// syndromes are the two sums of each group over the bytes outside the FEC.
func syndromes(b []byte, fec int) (s [6]byte) {
	k := 0
	for i, v := range b {
		if i >= fec && i < fec+6 {
			continue
		}
		s[k%3] ^= v
		s[3+k%3] ^= times(v, power[k/3])
		k++
	}
	return s
}

// Correct repairs up to one byte in each of the three groups of a flit of 256 B, for example a
// burst of three. ok is false if errors remain. Flits of 68 B have no FEC.
func Correct(m Mode, b []byte) (repaired int, ok bool) {
	if m == Flit68 {
		return 0, true
	}
	fec := m.fecAt()
	s := syndromes(b, fec)
	ok = true
	for g := range 3 {
		s0, s1 := s[g]^b[fec+g], s[3+g]^b[fec+3+g]
		switch {
		case s0 == 0 && s1 == 0:
			continue
		case s0 == 0:
			b[fec+3+g] ^= s1 // the check byte itself
		case s1 == 0:
			b[fec+g] ^= s0
		default:
			k := logarithm[s1] - logarithm[s0]
			if k < 0 {
				k += 255
			}
			i := 3*k + g // among the bytes outside the FEC
			if i >= 250 {
				ok = false
				continue
			}
			if i >= fec {
				i += 6
			}
			b[i] ^= s0
		}
		repaired++
	}
	return repaired, ok
}
