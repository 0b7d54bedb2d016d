package ecc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/units"
)

// Kinds are the values of Setting.Kind.
var Kinds = []string{"none", "side_band", "inline"}

// A Setting is the value of the key ecc.
type Setting struct {
	Kind  string        `yaml:"kind" jsonschema:"enum=none,enum=side_band,enum=inline" doc:"Check bits: none, on pins and chips of their own, or in the memory itself, where they take bursts"`
	Cache int           `yaml:"cache" jsonschema:"minimum=0,maximum=4096" doc:"Of inline: bursts of check bits that the controller of a channel holds; 0 is 16"`
	Scrub units.Latency `yaml:"scrub" doc:"Time between two bursts that the scrubber of a channel reads; 0ns: it reads none"`
}

// DefaultSetting has no ECC.
func DefaultSetting() Setting { return Setting{Kind: Kinds[0]} }

// On reports whether there is ECC.
func (s Setting) On() bool { return s.Kind != Kinds[0] && s.Kind != "" }

// Check returns an error for impossible values.
func (s Setting) Check() error {
	switch {
	case s.Kind != "" && !slices.Contains(Kinds, s.Kind):
		return fmt.Errorf("unknown kind %q (want one of: %s)", s.Kind, strings.Join(Kinds, ", "))
	case s.Cache < 0:
		return fmt.Errorf("a cache of %d bursts", s.Cache)
	}
	return nil
}
