package site

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report/page"
	"github.com/causeway-sim/causeway/components/report/panel"
	"github.com/causeway-sim/causeway/components/stats"
)

// trialTime bounds how long a trial may run: longer ones are for causeway run.
const trialTime = 20 * time.Second

// trials are the configurations that are tried: of each file the latest one only.
type trials struct {
	mu   sync.Mutex
	stop map[string]context.CancelFunc
}

// begin stops the trial of a file that is under way.
func (t *trials) begin(ctx context.Context, file string) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithTimeout(ctx, trialTime)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stop == nil {
		t.stop = map[string]context.CancelFunc{}
	}
	if before := t.stop[file]; before != nil {
		before()
	}
	t.stop[file] = stop
	return ctx, stop
}

// An outcome of a trial.
type outcome struct {
	Errors  []string        `json:"errors,omitempty"` // of the configuration, a line each
	Status  string          `json:"status,omitempty"`
	Reason  string          `json:"reason,omitempty"`
	Metrics []value         `json:"metrics,omitempty"`
	Figures json.RawMessage `json:"figures,omitempty"`
}

type value struct {
	Name  string     `json:"name"`
	Value float64    `json:"value"`
	Unit  stats.Unit `json:"unit"`
}

// try simulates a configuration with some values changed.
func (s *Site) try(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Set map[string]string `json:"set"`
	}
	file, err := s.inside(r.PathValue("path"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	ctx, stop := s.trials.begin(r.Context(), file)
	defer stop()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(s.outcome(ctx, file, q.Set)) // who asked may have gone
}

func (s *Site) outcome(ctx context.Context, file string, set map[string]string) (out outcome) {
	o := s.options
	for _, path := range keysOf(set) {
		if v := set[path]; strings.Contains(v, "..") || strings.HasPrefix(v, "/") || strings.Contains(v, `\`) {
			out.Errors = append(out.Errors, ": "+path+": "+errOutside.Error())
			continue
		}
		o.Set = append(o.Set, path+"="+set[path])
	}
	if len(out.Errors) > 0 {
		return out
	}
	x, err := experiment.LoadContext(ctx, file, o)
	if err != nil {
		out.Errors = strings.Split(err.Error(), "\n")
		return out
	}
	res, proc, err := x.Run(ctx, nil)
	if res == nil {
		out.Errors = []string{err.Error()}
		return out
	}
	out.Status, out.Reason = string(res.Status), res.Reason
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		out.Reason = "it takes longer than " + trialTime.String() + ": causeway run has no limit"
	}
	run := panel.Run{Name: file, Result: res, Process: proc}
	for _, key := range panel.Main([]panel.Run{run}, 12) {
		for _, m := range res.Metrics {
			if result.Key(m) == key {
				out.Metrics = append(out.Metrics, value{key, m.Value, m.Unit})
			}
		}
	}
	b, err := page.Block(&panel.Data{Run: &run})
	if err != nil {
		out.Errors = []string{err.Error()}
		return out
	}
	var figures struct {
		Figures json.RawMessage `json:"figures"`
	}
	if err := json.Unmarshal(b, &figures); err != nil {
		out.Errors = []string{err.Error()}
	}
	out.Figures = figures.Figures
	return out
}
