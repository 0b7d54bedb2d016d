package systolic

import (
	"fmt"
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/engine"
)

// A signal names a token of one of several workloads.
type signal struct {
	share int32
	token mapping.Token
}

type sending struct {
	at  uint64
	msg *work.Signal
}

// syncBuffer is how many signals a core takes in one cycle; more wait a cycle.
const syncBuffer = 16

// awaited is when the last token of the next job came; ok is false while one
// is missing.
func (k *core) awaited() (at uint64, ok bool) {
	j := &k.jobs[k.at]
	for _, t := range j.Waits {
		c, ok := k.tokens[signal{j.share.ID, t}]
		if !ok {
			return 0, false
		}
		at = max(at, c)
	}
	return at, true
}

// receiveSignals takes in the signals of other cores.
func (k *core) receiveSignals(now sim.VTimeInSec, cycle uint64) error {
	for {
		switch m := k.sync.Retrieve(now).(type) {
		case nil:
			return nil
		case *work.Signal:
			k.tokens[signal{m.Share, m.Token}] = cycle
		default:
			return fmt.Errorf("%s got a %T at its sync port", k.Name(), m)
		}
	}
}

// sendSignals gives the signals that are due, and wakes the core for the next one.
// A full link is tried again when it frees.
func (k *core) sendSignals(now sim.VTimeInSec, cycle uint64) {
	n := 0
	for ; n < len(k.sends) && k.sends[n].at <= cycle; n++ {
		m := k.sends[n].msg
		m.Src, m.Dst, m.SendTime = k.sync, k.leader, now
		if k.sync.Send(m) != nil {
			break
		}
	}
	k.sends = slices.Delete(k.sends, 0, n)
	if len(k.sends) > 0 && k.sends[0].at > cycle {
		k.ticker.WakeAt(k.sends[0].at)
	}
}

// waitsForTokens says what the next job is waiting for.
func (k *core) waitsForTokens() (out []engine.Wait) {
	j := &k.jobs[k.at]
	for _, t := range j.Waits {
		if _, ok := k.tokens[signal{j.share.ID, t}]; !ok {
			ops := j.share.Graph.Ops
			out = append(out, engine.Wait{
				Who: k.Name(), For: k.leader.Name(),
				Why: fmt.Sprintf("layer %s needs layer %s of core %d", ops[j.Op].Name, ops[t.Op].Name, t.Core),
			})
		}
	}
	return out
}
