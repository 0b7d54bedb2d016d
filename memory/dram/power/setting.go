package power

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// A Setting is the value of the key power_down.
type Setting struct {
	After       units.Latency `yaml:"after" doc:"Time since the last access of a rank after which it goes to power-down; 0ns: never"`
	Close       bool          `yaml:"close" doc:"Close the rows of the rank first: precharge power-down; false: active power-down if rows are open"`
	Exit        string        `yaml:"exit" jsonschema:"enum=fast,enum=slow" doc:"Of DDR3: slow stops the DLL in a precharge power-down, which takes less power and longer to leave"`
	SelfRefresh units.Latency `yaml:"self_refresh" doc:"Time since the last access of a rank after which it goes to self-refresh; 0ns: never"`
}

// Exits are the values of Setting.Exit.
var Exits = []string{"fast", "slow"}

// DefaultSetting keeps all ranks awake.
func DefaultSetting() Setting { return Setting{Close: true, Exit: Exits[0]} }

// On reports whether ranks ever rest.
func (s Setting) On() bool { return !s.After.IsZero() || !s.SelfRefresh.IsZero() }

// Rule returns the setting in clocks. The error is an unknown exit.
func (s Setting) Rule(c clock.Clock) (Rule, error) {
	if !slices.Contains(Exits, s.Exit) {
		return Rule{}, fmt.Errorf("unknown exit %q (want one of: %s)", s.Exit, strings.Join(Exits, ", "))
	}
	return Rule{After: int64(s.After.In(c)), Close: s.Close, Slow: s.Exit == "slow", SelfRefresh: int64(s.SelfRefresh.In(c))}, nil
}

// A Rule says when a rank rests.
type Rule struct {
	After       int64 // clocks from the last access to power-down; 0: never
	Close       bool  // rows are closed first
	Slow        bool  // the DLL stops in a precharge power-down
	SelfRefresh int64 // clocks from the last access to self-refresh; 0: never
}

// On reports whether ranks ever rest.
func (r Rule) On() bool { return r != (Rule{Close: r.Close, Slow: r.Slow}) }

// Check returns an error if a grade cannot follow the rule.
func (r Rule) Check(g *standard.Grade) error {
	switch {
	case r.After < 0 || r.SelfRefresh < 0:
		return fmt.Errorf("power-down after %d clocks, self-refresh after %d (want none below 0)", r.After, r.SelfRefresh)
	case r.Slow && g.Slots[standard.PDXS] == 0:
		return fmt.Errorf("%s has no slow exit from power-down (want fast)", g.Name)
	case r.After > 0 && (g.Slots[standard.PDE] == 0 || g.Slots[standard.PDX] == 0):
		return fmt.Errorf("%s has no power-down", g.Name)
	case r.SelfRefresh > 0 && (g.Slots[standard.SRE] == 0 || g.Slots[standard.SRX] == 0):
		return fmt.Errorf("%s has no self-refresh", g.Name)
	}
	return nil
}
