package hammer

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Mitigations are the values of Setting.Mitigation. none counts, and defends nothing.
var Mitigations = []string{"none", "para", "graphene", "rfm", "prac", "hydra", "blockhammer"}

// A Setting chooses a defence.
type Setting struct {
	// Mitigation is one of Mitigations; "" neither defends nor counts.
	Mitigation string `yaml:"mitigation" jsonschema:"enum=none,enum=para,enum=graphene,enum=rfm,enum=prac,enum=hydra,enum=blockhammer" doc:"Defence against row hammer; none counts activations by row and defends nothing; absent: rows are not counted"`
	// Probability is of para.
	Probability float64 `yaml:"probability" jsonschema:"minimum=0,maximum=1" doc:"Of para: that an activation refreshes one of the two neighbours"`
	// Threshold is of all but none and para; 0 is DefaultThreshold.
	Threshold int `yaml:"threshold" jsonschema:"minimum=0,maximum=1073741824" doc:"Activations of a row after which graphene refreshes its neighbours (512) or a chip with prac asks for RFM (512), activations of a bank after which rfm sends RFM (32), activations of a row after which hydra refreshes its neighbours (250) or from which on blockhammer delays it (1024); 0 takes the value in brackets"`
	// Entries is of graphene, hydra and blockhammer.
	Entries int `yaml:"entries" jsonschema:"minimum=0,maximum=1048576" doc:"Of graphene: rows in the table of a bank; 0 takes what no attack within a refresh window overflows. Of hydra: counters of rows in the cache of a channel; 0 is 4096. Of blockhammer: counters of a filter; 0 is 1024"`
	// Group is of hydra.
	Group int `yaml:"group" jsonschema:"minimum=0,maximum=65536" doc:"Of hydra: rows that are counted together until four fifths of the threshold; 0 is 128"`
	// Limit is of blockhammer.
	Limit int `yaml:"limit" jsonschema:"minimum=0,maximum=1073741824" doc:"Of blockhammer: activations of a row in a refresh window that it admits, at least twice the threshold; 0 is that"`
	// PerAlert is of prac.
	PerAlert int `yaml:"per_alert" jsonschema:"enum=1,enum=2,enum=4" doc:"Of prac: RFM commands that an alert asks for"`
}

// DefaultThreshold is Threshold where it is 0.
//
// assumption: JESD79-5C leaves 32 to 80 activations to a chip of refresh management; 512 are an
// eighth of the 4096 at which chips of today fail first (Kim et al., ISCA 2020). Hydra's is that of its paper, for
// chips that fail at 500. BlockHammer admits half of 4096 and delays from half of that on, as its paper.
var DefaultThreshold = map[string]int{"graphene": 512, "rfm": 32, "prac": 512, "hydra": 250, "blockhammer": 1024}

// DefaultSetting defends nothing.
func DefaultSetting() Setting { return Setting{Probability: 0.001, PerAlert: 1} }

// keys are those that a mitigation reads.
var keys = map[string][]string{"none": nil, "para": {"probability"}, "graphene": {"threshold", "entries"}, "rfm": {"threshold"}, "prac": {"threshold", "per_alert"}, "hydra": {"threshold", "entries", "group"}, "blockhammer": {"threshold", "entries", "limit"}}

// Keys are those that some mitigations read and others do not.
var Keys = []string{"probability", "threshold", "entries", "per_alert", "group", "limit"}

// Reads reports whether a mitigation reads a key.
func Reads(mitigation, key string) bool { return slices.Contains(keys[mitigation], key) }

// A Chip is what a defence has to know of a channel.
type Chip struct {
	Banks, Rows int
	Window      int       // activations that a bank can have between two refreshes of a row
	Refreshes   int       // refreshes of a bank in that time
	Clocks      int64     // of that time
	Cycle       int       // clocks from one activation of a bank to the next
	Burst       int       // bytes
	Columns     int       // bursts of a row
	Random      *rand.PCG // of this channel; nil: para draws nothing and refreshes no row
}

// A Manage is the banks of an RFM command.
type Manage uint8

// What RFM is asked for.
const (
	NoRFM Manage = iota
	RFMOfBank
	RFMOfRank // all banks of the rank
)

// An Ask is what a defence wants after an activation.
type Ask struct {
	Low, High bool // the neighbours that are to be refreshed: row - 1, row + 1
	Manage    Manage
	Times     int // RFM commands, at least 1 with Manage
	// Accesses are those to counters in memory, in order; they are valid until the next activation.
	Accesses []Access
}

// A Defence watches the activations of a channel that requests cause.
type Defence interface {
	// Activated notes an activation at a clock.
	Activated(bank int, row uint32, at int64) Ask
	// Refreshed notes a regular refresh of a bank.
	Refreshed(bank int)
	// Managed notes an RFM command to a bank, and returns the row whose neighbours the chip
	// refreshes; ok is false if it refreshes none.
	Managed(bank int) (row uint32, ok bool)
}

// A Delayer is a Defence that keeps rows from being opened for a time.
type Delayer interface {
	Defence
	// Delays returns the banks with rows that may be delayed at a clock, which is not before that of
	// an earlier call.
	Delays(now int64) uint64
	// Until returns the first clock from now on at which a row may be opened, if no other row is
	// until then.
	Until(bank int, row uint32, now int64) int64
}

// New makes the defence of one channel, nil with none.
func (s Setting) New(c Chip) (Defence, error) {
	t := s.Threshold
	if t == 0 {
		t = DefaultThreshold[s.Mitigation]
	}
	switch {
	case !slices.Contains(Mitigations, s.Mitigation):
		return nil, fmt.Errorf("unknown mitigation %q (want one of: %s)", s.Mitigation, strings.Join(Mitigations, ", "))
	case t < 0 || min(s.Entries, s.Group, s.Limit) < 0 || !(s.Probability >= 0 && s.Probability <= 1):
		return nil, fmt.Errorf("threshold %d, entries %d, group %d, limit %d, probability %g (want none below 0, and a probability up to 1)", t, s.Entries, s.Group, s.Limit, s.Probability)
	}
	switch s.Mitigation {
	case "para":
		return &para{random: c.Random, below: uint64(s.Probability * (1 << 53))}, nil
	case "graphene":
		n := s.Entries
		if n == 0 {
			n = c.Window/t + 1
		}
		return newGraphene(c, t, n), nil
	case "rfm":
		return newRolling(c, t), nil
	case "prac":
		if !slices.Contains([]int{1, 2, 4}, s.PerAlert) {
			return nil, fmt.Errorf("%d RFM commands an alert (want one of: 1, 2, 4)", s.PerAlert)
		}
		return newPRAC(c, t, s.PerAlert), nil
	case "hydra":
		return s.hydra(c, t)
	case "blockhammer":
		limit := cmp.Or(s.Limit, 2*t)
		if limit < 2*t {
			return nil, fmt.Errorf("a limit of %d activations with a threshold of %d (want at least twice as many)", limit, t)
		}
		return newBlockHammer(c, t, limit, cmp.Or(s.Entries, 1024)), nil
	}
	return nil, nil
}

func (s Setting) hydra(c Chip, threshold int) (Defence, error) {
	entries := cmp.Or(s.Entries, 4096)
	if entries > ways && entries%ways != 0 {
		return nil, fmt.Errorf("%d entries of hydra (want up to %d, or a multiple of it)", entries, ways)
	}
	h := newHydra(c, threshold, cmp.Or(s.Group, 128), entries)
	if h.table.first <= 0 {
		return nil, fmt.Errorf("counters of %d rows a bank fill the memory", c.Rows)
	}
	return h, nil
}
