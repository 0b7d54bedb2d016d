package cpu

import (
	"fmt"

	"github.com/causeway-sim/causeway/configs"
)

// checkIdle reports keys that have no effect without another one that is not given. Where
// that one is given, be it as 0 in place of a preset's, they are left as they are.
func (s *Spec) checkIdle(v configs.Value, errs *configs.Errors) {
	tlb := v.Get("tlb")
	second := tlb.Get("second")
	for _, x := range []struct {
		of    configs.Value
		idle  bool
		needs string
		keys  []string
	}{
		{v.Get("pause"), s.Pause.Time.IsZero(), "time", []string{"after"}},
		{tlb, s.TLB.Entries == 0 && s.TLB.Second.Entries == 0, "entries", []string{"ways", "second", "walk"}},
		{second, s.TLB.Entries > 0 && s.TLB.Second.Entries == 0, "entries", []string{"ways", "latency"}},
	} {
		if !x.idle || x.of.Get(x.needs).Exists() {
			continue
		}
		for _, key := range x.keys {
			if k := x.of.Get(key); k.Exists() {
				errs.Add(k.Errorf(nil, "has no effect without %s", x.needs))
			}
		}
	}
}

// checkCounted reports the key instructions with a trace that counts them itself.
func (c *Comp) checkCounted(v configs.Value) error {
	if x := v.Get("instructions"); x.Exists() && c.program.counted {
		return x.Errorf(nil, "has no effect: %s counts instructions itself", c.spec.Trace)
	}
	return nil
}

// idle is what of the core had no effect on a run.
func (c *Comp) idle() (out []string) {
	n, s := &c.count, &c.spec
	if n.answered == 0 {
		return nil
	}
	if n.accesses == 0 && c.skip > 0 {
		out = append(out, fmt.Sprintf("%s: skip is %s, and the last answer came at %.4gus: nothing is left to measure", c.Name(), s.Skip, c.clock.Nanoseconds(n.last)/1000))
	}
	if n.stores > 0 {
		return out
	}
	if s.StoreMode == StoreModes[1] {
		out = append(out, fmt.Sprintf("%s: store: %s has no effect: there was no store", c.Name(), s.StoreMode))
	}
	if s.Chains > s.Loads {
		out = append(out, fmt.Sprintf("%s: chains: %d, but only %d loads are under way at a time (key loads)", c.Name(), s.Chains, s.Loads))
	}
	return out
}
