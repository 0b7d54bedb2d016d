package standard

// A Command is a command on the command bus.
type Command uint8

// The commands that the controller sends. A and S at the end of PRE mean all banks of a rank, and the same bank of every group;
// so do REF and RFM without a letter, S and B: of all banks, the same bank of every group, one bank. A
// at the end of RD and WR means that the row is closed after the access. What they do is in commands.yaml; a standard
// may have others, which have the numbers from Commands on.
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
	CAS // synchronise the data clock for the next access
	RFM // refresh management: the chip refreshes rows of its choice
	RFMS
	RFMB
	PDE      // power-down of a rank: with rows open or without
	PDX      // its end
	PDXS     // the end of one in which the DLL was off, without rows open
	SRE      // self-refresh of a rank
	SRX      // its end
	Commands // number of them
)

// MostCommands is the most commands of a standard, its own among them.
const MostCommands = 32

var CommandNames = [Commands]string{"ACT", "PRE", "PREA", "PRES", "RD", "WR", "RDA", "WRA", "REF", "REFS", "REFB", "CAS", "RFM", "RFMS", "RFMB", "PDE", "PDX", "PDXS", "SRE", "SRX"}

func (c Command) String() string { return CommandNames[c] }

// A Scope is the banks that a command affects.
type Scope uint8

// The scopes.
const (
	OneBank    Scope = iota
	EveryGroup       // the same bank of every group of a rank
	WholeRank        // all banks of a rank
)

var scopeNames = [...]string{"one", "every group", "rank"}

func (s Scope) String() string { return scopeNames[s] }

// ParseCommand returns the command of commands.yaml with a name.
func ParseCommand(s string) (Command, bool) {
	for i, n := range CommandNames {
		if n == s {
			return Command(i), true
		}
	}
	return 0, false
}

// IsRFM reports whether a command is one of refresh management.
func (c Command) IsRFM() bool { return c >= RFM && c <= RFMB }

// IsState reports whether a command begins or ends power-down or self-refresh.
func (c Command) IsState() bool { return c >= PDE && c <= SRX }

// IsColumn reports whether a command transfers data.
func (c Command) IsColumn() bool { return c >= RD && c <= WRA }
