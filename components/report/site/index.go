package site

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
	"github.com/causeway-sim/causeway/components/report/folder"
	"github.com/causeway-sim/causeway/components/report/page"
	"github.com/causeway-sim/causeway/components/report/panel"
	"github.com/causeway-sim/causeway/components/stats"
)

//go:embed index.js
var indexScript string

//go:embed going.js
var goingScript string

//go:embed index.html
var indexBody string

// index lists what the folder has.
func (s *Site) index(w http.ResponseWriter, _ *http.Request) {
	found, err := folder.Find(s.dir)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	runs := page.Table{Name: "runs", Title: "Runs", Columns: []page.Column{{Name: "run"}, {Name: "status"}}}
	var list []panel.Run
	for _, path := range found.Runs {
		if x, err := folder.Run(path); err == nil {
			x.Name = s.path(path)
			list = append(list, *x)
		}
	}
	keys := panel.Main(list, 6)
	for _, k := range keys {
		runs.Columns = append(runs.Columns, page.Column{Name: k, Unit: "1"})
	}
	runs.Columns = append(runs.Columns, page.Column{Name: "started"}, page.Column{Name: "sentence"})
	for _, x := range list {
		row := []any{x.Name, string(x.Status)}
		for i, k := range keys {
			at := slices.IndexFunc(x.Metrics, func(m stats.Metric) bool { return result.Key(m) == k })
			if at < 0 {
				row = append(row, nil)
				continue
			}
			runs.Columns[2+i].Unit = string(x.Metrics[at].Unit)
			row = append(row, x.Metrics[at].Value)
		}
		runs.Rows = append(runs.Rows, append(row, x.Process.Started, x.Sentence))
		runs.Links = append(runs.Links, "run/"+x.Name)
	}
	sweeps := page.Table{Name: "sweeps", Title: "Sweeps", Columns: []page.Column{{Name: "sweep"}, {Name: "points", Unit: "1"}, {Name: "over"}}}
	for _, path := range found.Sweeps {
		if x, err := folder.Sweep(path); err == nil {
			sweeps.Rows = append(sweeps.Rows, []any{s.path(path), len(x.Points.Rows), x.Axes()})
			sweeps.Links = append(sweeps.Links, "sweep/"+s.path(path))
		}
	}
	configs := page.Table{Name: "configs", Title: "Configurations", Note: "As forms: a change shows its effect at once.", Columns: []page.Column{{Name: "file"}, {Name: "begins"}}}
	for _, path := range s.configs() {
		configs.Rows = append(configs.Rows, []any{path, s.firstWords(path)})
		configs.Links = append(configs.Links, "config/"+path)
	}
	l := page.Live{Title: filepath.Base(s.dir), Subtitle: s.dir, Body: template.HTML(indexBody), Script: indexScript + goingScript}
	for _, t := range []page.Table{runs, sweeps, configs} {
		if len(t.Rows) > 0 {
			l.Tables = append(l.Tables, t)
		}
	}
	b, err := page.WriteLive(l)
	send(w, b, err)
}

// path is that of a place on the disk below the folder, as addresses have it.
func (s *Site) path(full string) string {
	rel, err := filepath.Rel(s.dir, full)
	if err != nil {
		return full
	}
	return filepath.ToSlash(rel)
}

// maxConfigs bounds the configurations that are listed.
const maxConfigs = 500

// configs lists the configurations in the folder and below, without those of runs.
func (s *Site) configs() (out []string) {
	_ = filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what cannot be read is not listed
		case d.IsDir() && (folder.IsRun(path) || folder.IsSweep(path) || strings.HasPrefix(d.Name(), ".") && path != s.dir):
			return fs.SkipDir
		case len(out) == maxConfigs:
			return fs.SkipAll
		case d.Type().IsRegular() && (strings.HasSuffix(path, ".yaml") || strings.HasSuffix(path, ".yml")):
			if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), "schema: causeway/") && !sweep.IsFile(path) {
				out = append(out, s.path(path))
			}
		}
		return nil
	})
	return out
}

// firstWords is the first comment of a configuration.
func (s *Site) firstWords(path string) string {
	text, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(path)))
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(strings.TrimLeft(line, "# "))
}

// A going run or sweep says how far it is.
type going struct {
	Path string `json:"path"`
	experiment.Live
	Stale bool `json:"stale"` // nothing was said for a while: it may have been killed

	// Of a sweep that the site has started:
	Ended  bool   `json:"ended,omitempty"`
	Error  string `json:"error,omitempty"`  // why it ended without all points
	Report bool   `json:"report,omitempty"` // there are points to look at
}

// staleAfter is how old the last word of something that runs may be.
const staleAfter = 10 * time.Second

// running says what runs just now, below the folder.
func (s *Site) running(w http.ResponseWriter, _ *http.Request) {
	list := []going{}
	_ = filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // it went away meanwhile
		}
		if d.Name() == "points" || d.Name() == "journal" {
			return fs.SkipDir
		}
		if d.Name() != ProgressName || !d.Type().IsRegular() {
			return nil
		}
		g := going{Path: s.path(filepath.Dir(path))}
		b, err := os.ReadFile(path)
		if err != nil || json.Unmarshal(b, &g.Live) != nil {
			return nil
		}
		if st, err := d.Info(); err == nil {
			g.Stale = time.Since(st.ModTime()) > staleAfter
		}
		list = append(list, g)
		return nil
	})
	list = s.jobs.addTo(list)
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(list) // who asked may have gone
}
