package systolic

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/engine"
)

// awaited is when the last token of the next job came; ok is false while one
// is missing.
func (k *core) awaited() (at uint64, ok bool) {
	if j := &k.jobs[k.at]; !j.late {
		at, ok = k.ops.Awaited(j.share.ID, j.Waits)
		if r := k.repeats; r != nil {
			at, ok = max(at, r.from), ok && !r.held
		}
		return at, ok
	}
	return 0, true
}

// waitsForTokens says what the next job is waiting for.
func (k *core) waitsForTokens() (out []engine.Wait) {
	j := &k.jobs[k.at]
	ops := j.share.Graph.Ops
	for _, t := range k.ops.Missing(j.share.ID, j.Waits) {
		out = append(out, engine.Wait{
			Who: k.Name(), For: k.ops.Leader().Name(),
			Why: fmt.Sprintf("layer %s needs layer %s of core %d", ops[j.Op].Name, ops[t.Op].Name, t.Core),
		})
	}
	return out
}
