package flit

// layouts of messages. Widths of fields are those of the tables of the CXL
// specification, sections 3.2 (cache) and 3.3 (mem): 68 B flits as in revision 2.0,
// larger ones, with and without port-based routing, as in revision 3.1.
//
// assumption: the order of fields in 256 B flits is that of 68 B flits, new
// fields after them.
const (
	layout68 = iota
	layout256
	layoutPBR
)

func (m Mode) layout() int {
	return [Modes]int{layout68, layout256, layout256, layoutPBR}[m]
}

// Bits returns the bits of a message of a class in the mode; 0 if the mode has no such message.
func (m Mode) Bits(c Class) int {
	n := 0
	for _, s := range layouts[m.layout()][c] {
		n += int(s.bits)
	}
	return n
}

func rsvd(n uint8) span { return span{reserved, n} }

var layouts = [3][Classes][]span{
	layout68: {
		M2SReq:  {{valid, 1}, {opcode, 4}, {snpType, 3}, {metaField, 2}, {metaValue, 2}, {tag, 16}, {addr51x5, 47}, {tc, 2}, {ld, 4}, rsvd(6)},
		M2SRwD:  {{valid, 1}, {opcode, 4}, {snpType, 3}, {metaField, 2}, {metaValue, 2}, {tag, 16}, {addr51x6, 46}, {poison, 1}, {tc, 2}, {ld, 4}, rsvd(6)},
		H2DReq:  {{valid, 1}, {opcode, 3}, {addr51x6, 46}, {tag, 12}, rsvd(2)},
		H2DRsp:  {{valid, 1}, {opcode, 4}, {aux12, 12}, {low, 2}, {tag, 12}, rsvd(1)},
		H2DData: {{valid, 1}, {tag, 12}, {chunkValid, 1}, {poison, 1}, {goErr, 1}, rsvd(8)},
		S2MNDR:  {{valid, 1}, {opcode, 3}, {metaField, 2}, {metaValue, 2}, {tag, 16}, {ld, 4}, {low, 2}},
		S2MDRS:  {{valid, 1}, {opcode, 3}, {metaField, 2}, {metaValue, 2}, {tag, 16}, {poison, 1}, {ld, 4}, {low, 2}, rsvd(9)},
		D2HReq:  {{valid, 1}, {opcode, 5}, {tag, 12}, {nonTemporal, 1}, rsvd(7), {addr51x6, 46}, rsvd(7)},
		D2HRsp:  {{valid, 1}, {opcode, 5}, {tag, 12}, rsvd(2)},
		D2HData: {{valid, 1}, {tag, 12}, {chunkValid, 1}, {bogus, 1}, {poison, 1}, rsvd(1)},
	},
	layout256: {
		M2SReq:   {{valid, 1}, {opcode, 4}, {snpType, 3}, {metaField, 2}, {metaValue, 2}, {tag, 16}, {addr51x6, 46}, {tc, 2}, {ld, 4}, rsvd(20)},
		M2SRwD:   {{valid, 1}, {opcode, 4}, {snpType, 3}, {metaField, 2}, {metaValue, 2}, {tag, 16}, {addr51x6, 46}, {poison, 1}, {byteEnables, 1}, {tc, 2}, {ld, 4}, rsvd(22)},
		M2SBIRsp: {{valid, 1}, {opcode, 4}, {aux12, 12}, {tag, 12}, {low, 2}, rsvd(9)},
		H2DReq:   {{valid, 1}, {opcode, 3}, {addr51x6, 46}, {tag, 12}, {ld, 4}, rsvd(6)},
		H2DRsp:   {{valid, 1}, {opcode, 4}, {aux12, 12}, {low, 2}, {tag, 12}, {ld, 4}, rsvd(5)},
		H2DData:  {{valid, 1}, {tag, 12}, {poison, 1}, {goErr, 1}, {ld, 4}, rsvd(9)},
		S2MNDR:   {{valid, 1}, {opcode, 3}, {metaField, 2}, {metaValue, 2}, {tag, 16}, {ld, 4}, {low, 2}, rsvd(10)},
		S2MDRS:   {{valid, 1}, {opcode, 3}, {metaField, 2}, {metaValue, 2}, {tag, 16}, {poison, 1}, {ld, 4}, {low, 2}, rsvd(9)},
		S2MBISnp: {{valid, 1}, {opcode, 4}, {aux12, 12}, {tag, 12}, {addr51x6, 46}, rsvd(9)},
		D2HReq:   {{valid, 1}, {opcode, 5}, {tag, 12}, {nonTemporal, 1}, {ld, 4}, {addr51x6, 46}, rsvd(7)},
		D2HRsp:   {{valid, 1}, {opcode, 5}, {tag, 12}, rsvd(6)},
		D2HData:  {{valid, 1}, {tag, 12}, {bogus, 1}, {poison, 1}, {byteEnables, 1}, rsvd(8)},
	},
	layoutPBR: {
		M2SReq:   {{valid, 1}, {opcode, 4}, {snpType, 3}, {metaField, 2}, {metaValue, 2}, {tag, 16}, {addr51x6, 46}, {tc, 2}, {spid, 12}, {dpid, 12}, rsvd(20)},
		M2SRwD:   {{valid, 1}, {opcode, 4}, {snpType, 3}, {metaField, 2}, {metaValue, 2}, {tag, 16}, {addr51x6, 46}, {poison, 1}, {byteEnables, 1}, {tc, 2}, {spid, 12}, {dpid, 12}, rsvd(22)},
		M2SBIRsp: {{valid, 1}, {opcode, 4}, {tag, 12}, {low, 2}, {dpid, 12}, rsvd(9)},
		H2DReq:   {{valid, 1}, {opcode, 3}, {addr51x6, 46}, {tag, 12}, {spid, 12}, {dpid, 12}, rsvd(6)},
		H2DRsp:   {{valid, 1}, {opcode, 4}, {aux12, 12}, {low, 2}, {tag, 12}, {dpid, 12}, rsvd(5)},
		H2DData:  {{valid, 1}, {tag, 12}, {poison, 1}, {goErr, 1}, {dpid, 12}, rsvd(9)},
		S2MNDR:   {{valid, 1}, {opcode, 3}, {metaField, 2}, {metaValue, 2}, {tag, 16}, {low, 2}, {dpid, 12}, rsvd(10)},
		S2MDRS:   {{valid, 1}, {opcode, 3}, {metaField, 2}, {metaValue, 2}, {tag, 16}, {poison, 1}, {low, 2}, {dpid, 12}, rsvd(9)},
		S2MBISnp: {{valid, 1}, {opcode, 4}, {tag, 12}, {addr51x6, 46}, {spid, 12}, {dpid, 12}, rsvd(9)},
		D2HReq:   {{valid, 1}, {opcode, 5}, {tag, 12}, {nonTemporal, 1}, {spid, 12}, {dpid, 12}, {addr51x6, 46}, rsvd(7)},
		D2HRsp:   {{valid, 1}, {opcode, 5}, {tag, 12}, {dpid, 12}, rsvd(6)},
		D2HData:  {{valid, 1}, {tag, 12}, {bogus, 1}, {poison, 1}, {byteEnables, 1}, {dpid, 12}, rsvd(8)},
	},
}
