package sequencer

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/stats"
)

func (s *Comp) declare() {
	s.group.Count("signals_heard", stats.One, "Signals that cores gave.", &s.heard)
	s.group.Count("signals_passed", stats.One, "Signals passed on, one per core that waits.", &s.passed)
	s.group.Check("every signal is passed on", func() error {
		if n := len(s.out); n > 0 {
			return fmt.Errorf("%d are left", n)
		}
		return nil
	})
}
