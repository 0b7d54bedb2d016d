package hammer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Mitigations are the values of Setting.Mitigation. none counts, and defends nothing.
var Mitigations = []string{"none", "para", "graphene", "rfm", "prac"}

// A Setting chooses a defence.
type Setting struct {
	// Mitigation is one of Mitigations; "" neither defends nor counts.
	Mitigation string `yaml:"mitigation" jsonschema:"enum=none,enum=para,enum=graphene,enum=rfm,enum=prac" doc:"Defence against row hammer; none counts activations by row and defends nothing; absent: rows are not counted"`
	// Probability is of para.
	Probability float64 `yaml:"probability" jsonschema:"minimum=0,maximum=1" doc:"Of para: that an activation refreshes one of the two neighbours"`
	// Threshold is of graphene, rfm and prac; 0 is DefaultThreshold.
	Threshold int `yaml:"threshold" jsonschema:"minimum=0,maximum=1073741824" doc:"Activations of a row after which graphene refreshes its neighbours (512) or a chip with prac asks for RFM (512), activations of a bank after which rfm sends RFM (32); 0 takes the value in brackets"`
	// Entries is of graphene.
	Entries int `yaml:"entries" jsonschema:"minimum=0,maximum=1048576" doc:"Of graphene: rows in the table of a bank; 0 takes what no attack within a refresh window overflows"`
	// PerAlert is of prac.
	PerAlert int `yaml:"per_alert" jsonschema:"enum=1,enum=2,enum=4" doc:"Of prac: RFM commands that an alert asks for"`
}

// DefaultThreshold is Threshold where it is 0.
//
// assumption: JESD79-5C leaves 32 to 80 activations to a chip of refresh management; 512 are an
// eighth of the 4096 at which chips of today fail first (Kim et al., ISCA 2020).
var DefaultThreshold = map[string]int{"graphene": 512, "rfm": 32, "prac": 512}

// DefaultSetting defends nothing.
func DefaultSetting() Setting { return Setting{Probability: 0.001, PerAlert: 1} }

// keys are those that a mitigation reads.
var keys = map[string][]string{"none": nil, "para": {"probability"}, "graphene": {"threshold", "entries"}, "rfm": {"threshold"}, "prac": {"threshold", "per_alert"}}

// Reads reports whether a mitigation reads a key.
func Reads(mitigation, key string) bool { return slices.Contains(keys[mitigation], key) }

// A Chip is what a defence has to know of a channel.
type Chip struct {
	Banks, Rows int
	Window      int       // activations that a bank can have between two refreshes of a row
	Refreshes   int       // refreshes of a bank in that time
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
}

// A Defence watches the activations of a channel that requests cause.
type Defence interface {
	// Activated notes an activation.
	Activated(bank int, row uint32) Ask
	// Refreshed notes a regular refresh of a bank.
	Refreshed(bank int)
	// Managed notes an RFM command to a bank, and returns the row whose neighbours the chip
	// refreshes; ok is false if it refreshes none.
	Managed(bank int) (row uint32, ok bool)
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
	case t < 0 || s.Entries < 0 || !(s.Probability >= 0 && s.Probability <= 1):
		return nil, fmt.Errorf("threshold %d, entries %d, probability %g (want none below 0, and a probability up to 1)", t, s.Entries, s.Probability)
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
	}
	return nil, nil
}
