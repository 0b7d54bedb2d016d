package systolic

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/engine"
)

// cleared is when the last operator of other cores that the next job comes after was known
// to be done; ok is false while one is not.
func (k *core) cleared() (at uint64, ok bool) {
	j := &k.jobs[k.at]
	at, ok = k.ops.After(j.share.ID, j.After)
	if r := k.repeats; r != nil {
		at, ok = max(at, r.from), ok && !r.held
	}
	return at, ok
}

// waitsForOthers says what the next job is waiting for.
func (k *core) waitsForOthers() (out []engine.Wait) {
	j := &k.jobs[k.at]
	ops := j.share.Graph.Ops
	for _, t := range k.ops.Missing(j.share.ID, j.After) {
		out = append(out, engine.Wait{
			Who: k.Name(), For: k.ops.Issuer().Name(),
			Why: fmt.Sprintf("layer %s needs layer %s of core %d", ops[j.Op].Name, ops[t.Op].Name, t.Core),
		})
	}
	return out
}
