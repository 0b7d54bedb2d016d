package site

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report"
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
	kept []kept // the latest results, to compare others with
}

// kept is the result of a trial.
type kept struct {
	key string
	*result.Result
}

// mostKept is how many results are kept.
const mostKept = 16

// keep keeps the result of a trial.
func (t *trials) keep(key string, r *result.Result) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = slices.DeleteFunc(t.kept, func(k kept) bool { return k.key == key })
	t.kept = append(t.kept, kept{key, r})
	t.kept = t.kept[max(0, len(t.kept)-mostKept):]
}

// find returns the result of a trial that is kept, or nil.
func (t *trials) find(key string) *result.Result {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := slices.IndexFunc(t.kept, func(k kept) bool { return k.key == key })
	if at < 0 {
		return nil
	}
	k := t.kept[at]
	t.kept = append(slices.Delete(t.kept, at, at+1), k) // the last one to be dropped
	return k.Result
}

// keyOf names a trial: the file as it is now, and the values set.
func keyOf(file string, set []string) string {
	key := file
	if st, err := os.Stat(file); err == nil {
		key += st.ModTime().String()
	}
	return key + "\n" + strings.Join(set, "\n")
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
	Errors []string `json:"errors,omitempty"` // of the configuration, a line each
	Status string   `json:"status,omitempty"`
	Reason string   `json:"reason,omitempty"`
	// Sentence says what the time goes to. Change says what the values changed against the file,
	// and Versus against the held trial; "" where there is nothing to compare with.
	Sentence string `json:"sentence,omitempty"`
	Change   string `json:"change,omitempty"`
	Versus   string `json:"versus,omitempty"`

	Metrics []value         `json:"metrics,omitempty"`
	Figures json.RawMessage `json:"figures,omitempty"`
}

type value struct {
	Name  string     `json:"name"`
	Value float64    `json:"value"`
	Unit  stats.Unit `json:"unit"`
}

// A trial is a configuration with values set, compared with another one if Held is not nil.
type trial struct {
	Set  map[string]string `json:"set"`
	Held map[string]string `json:"held"`
}

// asked reads what a request says of a configuration in DIR into q. Otherwise it answers with the fault.
func (s *Site) asked(w http.ResponseWriter, r *http.Request, q any) (file string, ok bool) {
	file, err := s.inside(r.PathValue("path"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return "", false
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return "", false
	}
	return file, true
}

// try simulates a configuration with some values changed.
func (s *Site) try(w http.ResponseWriter, r *http.Request) {
	var q trial
	file, ok := s.asked(w, r, &q)
	if !ok {
		return
	}
	ctx, stop := s.trials.begin(r.Context(), file)
	defer stop()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(s.outcome(ctx, file, q)) // who asked may have gone
}

func (s *Site) outcome(ctx context.Context, file string, q trial) (out outcome) {
	o := s.options
	if o.Set, out.Errors = sets(q.Set); out.Errors != nil {
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
	s.compareTrial(file, o.Set, q.Held, res, &out)
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

// compareTrial says in a sentence how a result differs from that of the file and from the held one.
func (s *Site) compareTrial(file string, set []string, held map[string]string, r *result.Result, out *outcome) {
	out.Sentence = r.Sentence
	if r.Status != result.Complete {
		return
	}
	key := keyOf(file, set)
	s.trials.keep(key, r)
	against := func(set []string) string {
		other := keyOf(file, set)
		if k := s.trials.find(other); k != nil && other != key {
			return report.Compare(k, r).Sentence
		}
		return ""
	}
	out.Change = against(nil)
	if list, errs := sets(held); held != nil && errs == nil {
		out.Versus = against(list)
	}
}
