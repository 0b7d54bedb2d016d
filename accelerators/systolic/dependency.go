package systolic

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping"
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
	for _, a := range k.ops.Missing(j.share.ID, j.After) {
		out = append(out, engine.Wait{
			Who: k.Name(), For: k.ops.Issuer().Name(),
			Why: fmt.Sprintf("layer %s needs layer %s of %s", ops[j.Op].Name, ops[a.Op()].Name, others(a, j.share.Program.Core)),
		})
	}
	return out
}

// others names the cores of a join other than one.
func others(a *mapping.Join, core int) string {
	if n := a.Others(core); n > 1 {
		return fmt.Sprintf("%d other cores", n)
	}
	i := slices.IndexFunc(a.Members, func(t mapping.Token) bool { return int(t.Core) != core })
	return fmt.Sprintf("core %d", a.Members[i].Core)
}
