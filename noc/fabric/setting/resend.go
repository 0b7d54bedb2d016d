package setting

import (
	"slices"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/noc/network"
)

// checkResend reports keys of sending again that have no effect.
func (s *Spec) checkResend(v configs.Value) error {
	var errs configs.Errors
	fails := slices.ContainsFunc(s.Failed, func(f network.Failure) bool { return f.At != nil })
	if x := v.Get("timeout"); x.Exists() && !fails {
		errs.Add(x.Errorf(nil, "has no effect: no channel fails during the run (want failed: [{router, to, at}])"))
	}
	if n := s.Timeout.In(s.Clock.Clock); n > 1<<40 {
		errs.Add(v.Get("timeout").Errorf(nil, "is %s (want at most %s)", s.Timeout, units.InCycles(1<<40)))
	}
	if x := v.Get("retries"); x.Exists() && s.Timeout.IsZero() {
		errs.Add(x.Errorf(nil, "has no effect without timeout: no packet is sent again"))
	}
	return errs.Err()
}

// retries is the default: the most that the 3 bits of InfiniBand's retry count hold
// (Architecture Specification, volume 1, chapter 9, transport timer).
const retries = 7
