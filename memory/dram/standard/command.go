package standard

// A Command is what a controller tells a DRAM in one slot of the command bus.
type Command uint8

// The commands. A and S at the end of PRE and REF mean all banks of a rank, and
// the same bank of every group; B of REF means one bank; A at the end of RD and WR means that the row is
// closed after the access.
const (
	ACT Command = iota // open a row
	PRE                // close the row of a bank
	PREA
	PRES
	RD
	WR
	RDA
	WRA
	REF
	REFS
	REFB
	CAS      // the data clock is synchronised for the access that follows
	Commands // how many there are
)

var CommandNames = [Commands]string{"ACT", "PRE", "PREA", "PRES", "RD", "WR", "RDA", "WRA", "REF", "REFS", "REFB", "CAS"}

func (c Command) String() string { return CommandNames[c] }

// A Scope says which banks a command is about.
type Scope uint8

// The scopes.
const (
	OneBank    Scope = iota
	EveryGroup       // the same bank of every group of a rank
	WholeRank        // all banks of a rank
)

// scopes is by command.
var scopes = [Commands]Scope{PREA: WholeRank, REF: WholeRank, PRES: EveryGroup, REFS: EveryGroup}

func ParseCommand(s string) (Command, bool) {
	for i, n := range CommandNames {
		if n == s {
			return Command(i), true
		}
	}
	return 0, false
}

// Scope says which banks the command is about.
func (c Command) Scope() Scope { return scopes[c] }

// IsColumn reports whether a command moves data.
func (c Command) IsColumn() bool { return c >= RD && c <= WRA }
