package workload

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// commTrace reports whether an argument names a communication trace, and where it
// is.
func commTrace(s *command.Settings, name string) (string, bool) {
	path := name
	if rest, ok := strings.CutPrefix(name, "inputs:"); ok {
		root := configs.InputsDir(s.Options(nil).Inputs)
		if root == "" || !filepath.IsLocal(filepath.FromSlash(rest)) {
			return "", false // openWorkload reports the error
		}
		path = filepath.Join(root, filepath.FromSlash(rest))
	}
	return path, comm.Knows(path)
}

// commInfo summarises a communication trace.
func commInfo(w io.Writer, path string, set []string) error {
	if len(set) > 0 {
		return command.BadInput(fmt.Errorf("--set %s: a communication trace has no parameters", set[0]))
	}
	p, format, err := comm.Open(path, comm.Options{})
	if err != nil {
		return command.BadInput(err)
	}
	s := comm.Summarize(p)
	t := &stats.Table{Columns: []stats.Column{{Name: "what"}, {Name: "value", Unit: stats.One}, {Name: "unit"}}}
	row := func(what string, v uint64, unit string) { t.Append(what, v, unit) }
	row("ranks", uint64(s.Ranks), "1")
	if s.Beyond > 0 {
		row("ranks that are named but not there", uint64(s.Beyond), "1")
	}
	if s.Groups > 1 {
		row("communicators", uint64(s.Groups), "1")
	}
	for k := comm.Join; k <= comm.Store; k++ {
		if s.Ops[k] > 0 {
			row(k.String()+" operations", s.Ops[k], "1")
		}
	}
	row("dependencies", s.Dependencies, "1")
	if s.Ops[comm.Send] > 0 {
		row("bytes sent", s.SentBytes, "B")
	}
	for c := comm.Barrier; c <= comm.Scatter; c++ {
		if s.Colls[c] > 0 {
			row(c.String()+" operations", s.Colls[c], "1")
			row(c.String()+" bytes", s.CollBytes[c], "B")
		}
	}
	if s.Time > 0 {
		t.Append("computation of all ranks", s.Time.String(), "")
	}
	unequal := 0
	for _, q := range comm.Pairs(p) {
		if q.Sent != q.Received {
			unequal++
		}
	}
	if s.Ops[comm.Send] > 0 && s.Beyond == 0 {
		row("pairs with other sends than receives", uint64(unequal), "1")
	}
	fmt.Fprintf(w, "%s (%s)\n", filepath.Base(path), format)
	report.Table(w, t)
	return nil
}
