package flit

import (
	"fmt"
	"slices"
)

// A slotFormat is a selection of messages that share a slot.
type slotFormat struct {
	code    uint8 // in the slot format field
	count   [Classes]uint8
	classes uint16 // those of count, a bit each
	pieces  []piece
	total   int // messages
	used    int // bits, gaps left out
}

// A piece is a run of fields of one message in a slot.
type piece struct {
	class Class
	index int // among the messages of the slot
	at    int // bit
	spans []span
}

// codeData is the format of a slot of data in 68 B flits. Larger flits have no
// such code: where data lie follows from the headers.
const codeData = 0

// codeEmpty is the format of a slot without messages in larger flits.
//
// assumption: revision 3.1 spells it as a format whose messages are not valid.
const codeEmpty = 0

// formats by mode, direction and shape of the slot, by code.
var formats [Modes][directions][shapes][]slotFormat

// item is one kind of message in a format; gap is left free after it.
type item struct {
	class Class
	n     int
	gap   int
}

func one(c Class) item           { return item{c, 1, 0} }
func many(n int, c Class) item   { return item{c, n, 0} }
func gapped(c Class, g int) item { return item{c, 1, g} }

type group []item

func init() {
	// CXL 2.0, section 4.2.3: H0 to H5, G1 to G6. G0 is data; H6 is for
	// integrity and not here.
	add(Flit68, Down, shapeH, 0,
		group{one(H2DReq), one(H2DRsp)}, group{one(H2DData), many(2, H2DRsp)}, group{one(H2DReq), one(H2DData)},
		group{many(4, H2DData)}, group{one(M2SRwD)}, group{one(M2SReq)})
	add(Flit68, Down, shapeG, 1,
		group{many(4, H2DRsp)}, group{one(H2DReq), one(H2DData), one(H2DRsp)}, group{many(4, H2DData), one(H2DRsp)},
		group{gapped(M2SReq, 1), one(H2DData)}, group{gapped(M2SRwD, 1), one(H2DRsp)})
	add(Flit68, Up, shapeH, 0,
		group{one(D2HData), many(2, D2HRsp), one(S2MNDR)}, group{one(D2HReq), one(D2HData)}, group{many(4, D2HData), one(D2HRsp)},
		group{one(S2MDRS), one(S2MNDR)}, group{many(2, S2MNDR)}, group{many(2, S2MDRS)})
	add(Flit68, Up, shapeG, 1,
		group{one(D2HReq), many(2, D2HRsp)}, group{one(D2HReq), one(D2HData), one(D2HRsp)}, group{many(4, D2HData)},
		group{one(S2MDRS), many(2, S2MNDR)}, group{many(2, S2MNDR)}, group{many(3, S2MDRS)})

	// assumption: the selections and codes of 256 B flits are ours; those of both
	// directions share the codes of Either. They are what
	// fits into 108, 124 and 92 bits, in the order of those of 68 B flits.
	for _, m := range []Mode{Flit256, FlitLatency} {
		add(m, Down, shapeH, 1,
			group{one(H2DReq), one(H2DData)}, group{many(2, H2DRsp), one(H2DData)}, group{many(3, H2DData)},
			group{one(M2SRwD)}, group{one(M2SReq)}, group{many(2, M2SBIRsp)})
		add(m, Down, shapeG, 1,
			group{many(3, H2DRsp)}, group{one(H2DReq), one(H2DRsp)}, group{many(4, H2DData)},
			group{one(M2SReq)}, group{one(M2SRwD)}, group{many(3, M2SBIRsp)}, group{one(H2DReq), one(H2DData)})
		add(m, Up, shapeH, 1,
			group{one(D2HReq), one(D2HRsp)}, group{one(D2HReq), one(D2HData)}, group{many(4, D2HData)},
			group{one(S2MDRS), one(S2MNDR)}, group{many(2, S2MNDR)}, group{many(2, S2MDRS)}, group{one(S2MBISnp), one(D2HRsp)})
		add(m, Up, shapeG, 1,
			group{one(D2HReq), many(2, D2HRsp)}, group{one(D2HReq), one(D2HData), one(D2HRsp)}, group{many(4, D2HData), one(D2HRsp)},
			group{one(S2MDRS), many(2, S2MNDR)}, group{many(3, S2MNDR)}, group{many(3, S2MDRS)}, group{one(S2MBISnp), one(S2MNDR)})
		if m != FlitLatency {
			continue
		}
		add(m, Down, shapeHS, 1,
			group{one(H2DReq)}, group{many(2, H2DRsp)}, group{many(3, H2DData)}, group{many(2, M2SBIRsp)})
		add(m, Up, shapeHS, 1,
			group{one(D2HReq)}, group{many(3, D2HRsp)}, group{many(3, D2HData)},
			group{one(S2MDRS), one(S2MNDR)}, group{many(2, S2MNDR)}, group{many(2, S2MDRS)}, group{one(S2MBISnp)})
	}
	downH := []group{{one(H2DReq)}, {many(2, H2DRsp)}, {many(3, H2DData)}, {many(2, M2SBIRsp)}}
	downG := []group{{one(H2DReq)}, {many(2, H2DRsp)}, {many(3, H2DData)},
		{one(M2SReq)}, {one(M2SRwD)}, {many(3, M2SBIRsp)}}
	up := []group{{one(D2HReq)}, {many(3, D2HRsp)}, {many(3, D2HData)},
		{one(S2MDRS), one(S2MNDR)}, {many(2, S2MNDR)}, {many(2, S2MDRS)}, {one(S2MBISnp)}}
	add(FlitPBR, Down, shapeH, 1, downH...)
	add(FlitPBR, Down, shapeG, 1, downG...)
	add(FlitPBR, Up, shapeH, 1, up...)
	add(FlitPBR, Up, shapeG, 1, up...)
	add(FlitPBR, Either, shapeH, 1, slices.Concat(downH, up)...)
	add(FlitPBR, Either, shapeG, 1, slices.Concat(downG, up)...)
}

// add makes the formats of a shape; their codes count from first.
func add(m Mode, d Direction, shape, first int, groups ...group) {
	slot := [shapes]int{0, 1, 8}[shape]
	room, at := 8*m.SlotBytes(slot), 0
	if m != Flit68 {
		at = 4 // the format's code is in the slot
	}
	list := make([]slotFormat, first)
	for i, g := range groups {
		f := slotFormat{code: uint8(first + i)}
		end := f.lay(m, g, at)
		if end > room || first+i > 15 {
			panic(fmt.Sprintf("flit: %s slot format %d of mode %s takes %d of %d bits", []string{"H", "G", "HS"}[shape], first+i, m, end, room))
		}
		list = append(list, f)
	}
	formats[m][d][shape] = list
}

// lay places the messages of a group one after the other. In 68 B flits the DevLoad fields of
// several NDR follow all of them, CXL 2.0 formats H4, G4 and G5.
func (f *slotFormat) lay(m Mode, g group, at int) (end int) {
	for _, it := range g {
		spans := layouts[m.layout()][it.class]
		if len(spans) == 0 {
			panic(fmt.Sprintf("flit: no %s in mode %s", it.class, m))
		}
		split := m == Flit68 && it.class == S2MNDR && it.n > 1
		body := spans
		if split {
			body = spans[:len(spans)-1]
		}
		for k := range it.n {
			f.pieces = append(f.pieces, piece{it.class, f.total + k, at, body})
			at += width(body)
		}
		if split {
			for k := range it.n {
				f.pieces = append(f.pieces, piece{it.class, f.total + k, at, spans[len(spans)-1:]})
				at += width(spans[len(spans)-1:])
			}
		}
		f.total += it.n
		f.count[it.class] = uint8(it.n)
		f.classes |= 1 << it.class
		f.used += it.n * width(spans)
		at += it.gap
	}
	return at
}

func width(spans []span) (n int) {
	for _, s := range spans {
		n += int(s.bits)
	}
	return n
}
