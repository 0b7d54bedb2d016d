package dram

// A Command is what a controller tells a DRAM in one slot of the command bus.
type Command uint8

// The commands. A and S at the end of PRE and REF mean all banks of a rank, and
// the same bank of every group; B of REF means one bank; A at the end of RD and WR means that the row is
// closed behind the access.
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

var commandNames = [Commands]string{"ACT", "PRE", "PREA", "PRES", "RD", "WR", "RDA", "WRA", "REF", "REFS", "REFB", "CAS"}

func (c Command) String() string { return commandNames[c] }

// A scope says which banks a command is about.
type scope uint8

const (
	oneBank  scope = iota
	sameBank       // of every group of a rank
	allBanks       // of a rank
)

// scopes is by command.
var scopes = [Commands]scope{PREA: allBanks, REF: allBanks, PRES: sameBank, REFS: sameBank}

func parseCommand(s string) (Command, bool) {
	for i, n := range commandNames {
		if n == s {
			return Command(i), true
		}
	}
	return 0, false
}
