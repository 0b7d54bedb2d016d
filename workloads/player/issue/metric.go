package issue

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/stats"
)

func (a *Ahead) declare() {
	a.Group.Count("done_heard", stats.One, "Operators done that operators of other cores come after.", &a.heard)
	a.Group.Count("done_passed", stats.One, "Messages to cores that all operators of a layer which they wait for are done.", &a.passed)
	a.Group.Check("all is passed on", func() error {
		if n := a.Dispatcher.Waiting(); n > 0 {
			return fmt.Errorf("%d messages are left", n)
		}
		return nil
	})
}
