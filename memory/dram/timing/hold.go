package timing

// A Hold is what keeps the next command of a channel back while bursts are in it. Each clock
// has one: that of the command that is issued next.
type Hold uint8

// The holds.
const (
	Transfer   Hold = iota // column commands follow each other as fast as the data pins take them
	Activating             // an access waits for its row to open
	Precharge              // an activation waits for the row before to be closed
	Keeping                // a row that is in the way may not be closed yet
	Spacing                // activations of a rank are too close
	Turning                // reads follow writes, or writes reads
	Refreshing             // a refresh, or what it keeps back
	Commanding             // nothing but the order of commands
	Waking                 // a rank leaves power-down or self-refresh
	Returning              // all commands are issued, and the last data are on their way
	Holds
)

// Names are the words of a Hold: its name in the tree of causes, and what it is.
var Names = [Holds][2]string{
	Transfer:   {"transfer", "moving data (tCCD, the data bus)"},
	Activating: {"row_activation", "waiting for rows to open (tRCD)"},
	Precharge:  {"precharge", "waiting for rows to close (tRP, tRC)"},
	Keeping:    {"row_open", "keeping rows open that are in the way (tRAS, tRTP, tWR)"},
	Spacing:    {"activation_rate", "spacing activations (tRRD, tFAW)"},
	Turning:    {"turnaround", "turning the bus between reads and writes (tWTR, tRTW)"},
	Refreshing: {"refresh", "refreshing (tRFC)"},
	Commanding: {"commands", "issuing commands"},
	Waking:     {"waking", "waking ranks from power-down and self-refresh (tXP, tXS)"},
	Returning:  {"latency", "with the last data on their way (CL, tBL)"},
}
