package flit

// Limits are the most messages of a class per flit, or per 128 B of larger flits, that a receiver
// accepts in one cycle. 0 is no limit.
type Limits [Classes]uint8

// DefaultLimits returns the limits of the specification.
//
// Source of those of 68 B flits: CXL 2.0, section 4.2.5; they agree with TSim4CXL,
// which sends 2 Req a flit, 4 RwD in 5 flits and 3 DRS in 4 flits.
//
// assumption: those of 128 B of larger flits, CXL 3.1 section 4.3.
func DefaultLimits(m Mode) Limits {
	if m == Flit68 {
		return Limits{
			M2SReq: 2, M2SRwD: 1, H2DReq: 2, H2DRsp: 4, H2DData: 4,
			S2MNDR: 2, S2MDRS: 3, D2HReq: 4, D2HRsp: 2, D2HData: 4,
		}
	}
	return Limits{
		M2SReq: 4, M2SRwD: 2, M2SBIRsp: 3, H2DReq: 2, H2DRsp: 6, H2DData: 4,
		S2MNDR: 6, S2MDRS: 3, S2MBISnp: 2, D2HReq: 4, D2HRsp: 4, D2HData: 4,
	}
}
