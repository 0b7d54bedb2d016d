package coherence

import (
	"fmt"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// An Op is the opcode of a message.
type Op uint8

// The opcodes that the state machines use, by channel.
const (
	None Op = iota

	// M2S Req
	MemInv     // ownership without data
	MemRd      // read
	MemRdFwd   // the device may read its memory: answer to a D2H read
	MemWrFwd   // the device may write its memory: answer to a D2H write
	MemClnEvct // a clean copy is given up

	// M2S RwD
	MemWr
	BIConflict // a BISnp met an own request

	// M2S BIRsp: what the host has left
	BIRspI
	BIRspS
	BIRspE

	// S2M NDR
	Cmp  // done, nothing granted
	CmpS // shared is granted
	CmpE // exclusive is granted
	BIConflictAck

	// S2M DRS
	MemData

	// S2M BISnp
	BISnpCur
	BISnpData
	BISnpInv

	// D2H Req
	RdCurr
	RdOwn
	RdShared
	RdAny
	RdOwnNoData
	ItoMWr
	WrCur
	CLFlush
	CleanEvict
	DirtyEvict
	CleanEvictNoData
	WOWrInvF
	WrInv

	// D2H Rsp: state left, state found
	RspIHitI
	RspVHitV
	RspIHitSE
	RspSHitSE
	RspSFwdM
	RspIFwdM
	RspVFwdV

	// D2H Data
	D2HData

	// H2D Req
	SnpData
	SnpInv
	SnpCur

	// H2D Rsp
	WritePull
	GO
	GOWritePull
	GOWritePullDrop

	// H2D Data
	H2DData

	ops
)

// opTable has names as the specification spells them, and channels.
var opTable = [ops]struct {
	name    string
	channel flit.Class
}{
	MemInv: {"MemInv", flit.M2SReq}, MemRd: {"MemRd", flit.M2SReq}, MemRdFwd: {"MemRdFwd", flit.M2SReq},
	MemWrFwd: {"MemWrFwd", flit.M2SReq}, MemClnEvct: {"MemClnEvct", flit.M2SReq},
	MemWr: {"MemWr", flit.M2SRwD}, BIConflict: {"BIConflict", flit.M2SRwD},
	BIRspI: {"BIRspI", flit.M2SBIRsp}, BIRspS: {"BIRspS", flit.M2SBIRsp}, BIRspE: {"BIRspE", flit.M2SBIRsp},
	Cmp: {"Cmp", flit.S2MNDR}, CmpS: {"Cmp-S", flit.S2MNDR}, CmpE: {"Cmp-E", flit.S2MNDR}, BIConflictAck: {"BI-ConflictAck", flit.S2MNDR},
	MemData:  {"MemData", flit.S2MDRS},
	BISnpCur: {"BISnpCur", flit.S2MBISnp}, BISnpData: {"BISnpData", flit.S2MBISnp}, BISnpInv: {"BISnpInv", flit.S2MBISnp},
	RdCurr: {"RdCurr", flit.D2HReq}, RdOwn: {"RdOwn", flit.D2HReq}, RdShared: {"RdShared", flit.D2HReq}, RdAny: {"RdAny", flit.D2HReq},
	RdOwnNoData: {"RdOwnNoData", flit.D2HReq}, ItoMWr: {"ItoMWr", flit.D2HReq}, WrCur: {"WrCur", flit.D2HReq}, CLFlush: {"CLFlush", flit.D2HReq},
	CleanEvict: {"CleanEvict", flit.D2HReq}, DirtyEvict: {"DirtyEvict", flit.D2HReq}, CleanEvictNoData: {"CleanEvictNoData", flit.D2HReq},
	WOWrInvF: {"WOWrInvF", flit.D2HReq}, WrInv: {"WrInv", flit.D2HReq},
	RspIHitI: {"RspIHitI", flit.D2HRsp}, RspVHitV: {"RspVHitV", flit.D2HRsp}, RspIHitSE: {"RspIHitSE", flit.D2HRsp}, RspSHitSE: {"RspSHitSE", flit.D2HRsp},
	RspSFwdM: {"RspSFwdM", flit.D2HRsp}, RspIFwdM: {"RspIFwdM", flit.D2HRsp}, RspVFwdV: {"RspVFwdV", flit.D2HRsp},
	D2HData: {"Data", flit.D2HData},
	SnpData: {"SnpData", flit.H2DReq}, SnpInv: {"SnpInv", flit.H2DReq}, SnpCur: {"SnpCur", flit.H2DReq},
	WritePull: {"WritePull", flit.H2DRsp}, GO: {"GO", flit.H2DRsp}, GOWritePull: {"GO_WritePull", flit.H2DRsp}, GOWritePullDrop: {"GO_WritePull_Drop", flit.H2DRsp},
	H2DData: {"Data", flit.H2DData},
}

func (o Op) String() string { return opTable[o].name }

// Channel returns the class of messages with the opcode.
func (o Op) Channel() flit.Class { return opTable[o].channel }

// A State is the state of a cached line.
type State uint8

// The states: MESI.
const (
	I State = iota
	S
	E
	M
)

func (s State) String() string { return "ISEM"[s : s+1] }

// A Message is one CXL.mem or CXL.cache message about one line.
type Message struct {
	Op Op
	// Host is the host at one end; between a Home and its Agents it is the device.
	Host uint8
	// Meta is the state that a host has or requests: MetaValue of M2S (I: Invalid, S: Shared, E:
	// Any), RspData of H2D GO.
	Meta State
	// Snp is SnpType of M2S: the snoop of other caches by MemRd and MemInv.
	Snp Op // SnpData, SnpInv, SnpCur, or None
	// Bogus marks stale D2H data; a snoop took the newest.
	Bogus bool
	Tag   uint32
	Pull  uint32 // of WritePull and GO_WritePull: the tag that the data carry
	Addr  uint64 // of the line
	// Value stands for the 64 bytes of the line.
	Value uint64
}

// Channel returns the class of the message.
func (m Message) Channel() flit.Class { return m.Op.Channel() }

// String returns the message in the form of transcripts.
func (m Message) String() string {
	s := m.Op.String()
	switch m.Op {
	case MemRd, MemInv:
		s += "," + m.Snp.String() + "," + meta(m.Meta)
	case MemWr, MemClnEvct, MemRdFwd, MemWrFwd:
		s += "," + meta(m.Meta)
	case GO:
		s += "-" + m.Meta.String()
	}
	switch m.Channel() {
	case flit.M2SRwD, flit.S2MDRS, flit.D2HData, flit.H2DData:
		if m.Op != BIConflict {
			s += fmt.Sprintf(" =%d", m.Value)
		}
	}
	if m.Bogus {
		s += " bogus"
	}
	return s
}

// meta is a state as a MetaValue.
func meta(s State) string { return [...]string{"I", "S", "A", "A"}[s] }

// An Access is the kind of an access of a core or an accelerator.
type Access uint8

// The kinds of accesses.
const (
	Load Access = iota
	// Store writes the whole line and needs no old data.
	Store
	// Update writes part of a line and needs the rest.
	Update
)

func (a Access) String() string { return [...]string{"load", "store", "update"}[a] }
