package demand

import (
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// openProgram reads the workload's file if it is a communication trace.
func (w *Workload) openProgram(doc *configs.Document) (bool, error) {
	s := &w.Spec
	path, err := doc.ResolveFile(s.File)
	if err != nil || !comm.Knows(path) {
		return false, nil // openModel reports the error
	}
	var errs configs.Errors
	for _, key := range []string{"batch", "sequence", "context", "phase", "image", "dtype", "symbols", "arrival", "cores"} {
		if v := w.At.Get(key); v.Exists() {
			errs.Add(v.Errorf(nil, "has no effect on a communication trace"))
		}
	}
	if err := errs.Err(); err != nil {
		return true, err
	}
	w.Path = path
	w.Program, w.Format, err = comm.Open(path, comm.Options{Ranks: s.Ranks})
	return true, s.File.Locate(err)
}
