package result

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/experiment/watch"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// Version is the version of the models. It is part of every Identity, because results of different
// versions cannot be mixed in a sweep.
const Version = "0.1.0"

// Schema names the layout of result.json.
const Schema = "causeway-result/1"

// An Input is a file that a run has read.
type Input struct {
	Name   string `json:"name"` // as the configuration names it
	SHA256 string `json:"sha256"`
}

// A Result is the result of a run.
type Result struct {
	Schema   string `json:"schema"`
	Version  string `json:"version"`
	Identity string `json:"identity"`
	Status   Status `json:"status"`
	Reason   string `json:"reason,omitempty"` // why it is not complete
	// Sentence names what the run spends most time on; "" if nothing was simulated.
	Sentence string         `json:"sentence,omitempty"`
	Inputs   []Input        `json:"inputs"`
	Metrics  []stats.Metric `json:"metrics"`
	// Causes divides the time of all nodes by cause; nil if no node does.
	Causes *cause.Tree `json:"causes,omitempty"`
	// WithoutEnergy lists the nodes without an energy model, which no sum of energy includes.
	WithoutEnergy []string `json:"energy_without_model"`
	// Assumptions are the assumptions of the models in this run.
	Assumptions []string `json:"assumptions,omitempty"`
	// Warnings are the warnings about inputs and nodes.
	Warnings []string `json:"warnings,omitempty"`

	Layers   *stats.Table    `json:"-"` // one row per layer and node; nil if there is none
	Levels   *stats.Table    `json:"-"` // one row per storage level and tensor; nil if there is none
	Requests *stats.Table    `json:"-"` // one row per request that was served; nil if there is none
	Channels *stats.Table    `json:"-"` // one row per channel; nil if not asked for
	Series   *stats.Table    `json:"-"` // one row per sample; nil if not asked for
	Config   []byte          `json:"-"` // the resolved configuration
	Observed *watch.Observed `json:"-"` // nil if not asked for

	Attachments []system.Attachment `json:"-"` // files of single nodes

	Repeats uint64 `json:"-"` // layers or steps that simulation.repeat did not simulate
}

// UnmarshalJSON also reads results of an earlier version, which have the sentence under another
// key.
func (r *Result) UnmarshalJSON(b []byte) error {
	type plain Result
	in := struct {
		*plain
		Bottleneck string `json:"bottleneck"`
	}{plain: (*plain)(r)}
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	if r.Sentence == "" {
		r.Sentence = in.Bottleneck
	}
	return nil
}

// A Status says how a run ended.
type Status string

// The states of a run.
const (
	Complete   Status = "complete"
	Incomplete Status = "incomplete" // interrupted: metrics hold up to then
	Stuck      Status = "stuck"      // could not go on
	Failed     Status = "failed"     // a conservation law was broken, or a model failed
)

// Metric returns the metric of phase "all" called name at where.
func (r *Result) Metric(where, name string) (stats.Metric, bool) {
	return r.MetricIn("all", where, name)
}

// MetricIn returns the metric called name at where in a phase. Metrics in the order of Sort are
// searched by halves; those in another order, and metrics that there are none of, take a walk
// over all.
func (r *Result) MetricIn(phase, where, name string) (stats.Metric, bool) {
	at, found := slices.BinarySearchFunc(r.Metrics, stats.Metric{Phase: phase, Where: where, Name: name}, canonical)
	if found {
		return r.Metrics[at], true
	}
	i := slices.IndexFunc(r.Metrics, func(m stats.Metric) bool {
		return m.Name == name && m.Where == where && m.Phase == phase
	})
	if i < 0 {
		return stats.Metric{}, false
	}
	return r.Metrics[i], true
}

// Key returns the key of a metric: total_cycles, Core.total_cycles, or
// Core.total_cycles@layer:conv1 for a phase other than "all".
func Key(m stats.Metric) string {
	key := m.Name
	if m.Where != "" {
		key = m.Where + "." + key
	}
	if m.Phase != "all" {
		key += "@" + m.Phase
	}
	return key
}

// Identity returns the name of a point: a hash of version, resolved configuration and the contents
// of every input.
func Identity(config []byte, inputs []Input) string {
	h := sha256.New()
	fmt.Fprintf(h, "causeway %s\n%d\n", Version, len(config))
	h.Write(config)
	for _, in := range inputs {
		fmt.Fprintf(h, "%s %s\n", in.SHA256, in.Name)
	}
	return hex.EncodeToString(h.Sum(nil))[:32]
}

// ReadInput hashes the file at path, which the configuration calls name.
func ReadInput(name, path string) (Input, error) {
	f, err := os.Open(path)
	if err != nil {
		return Input{}, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return Input{}, err
	}
	return Input{name, hex.EncodeToString(h.Sum(nil))}, nil
}

// ReadInputs is like ReadInput, but name may stand for several files by %d. Then the hash is that
// of their hashes, in order.
func ReadInputs(name, path string) (Input, error) {
	files, many := comm.IsSet(path)
	if !many || !strings.Contains(path, "%") {
		return ReadInput(name, path)
	}
	h := sha256.New()
	for _, f := range files {
		in, err := ReadInput(name, f)
		if err != nil {
			return Input{}, err
		}
		fmt.Fprintln(h, in.SHA256)
	}
	return Input{name, hex.EncodeToString(h.Sum(nil))}, nil
}

// Sort sorts metrics into canonical order: phase "all" first, then by phase, node (numbers by
// value) and name.
func Sort(ms []stats.Metric) {
	slices.SortStableFunc(ms, canonical)
}

// canonical compares metrics by the order of Sort.
func canonical(a, b stats.Metric) int {
	if a.Phase != b.Phase {
		if a.Phase == "all" {
			return -1
		}
		if b.Phase == "all" {
			return 1
		}
		return configs.CompareNames(a.Phase, b.Phase)
	}
	if a.Where != b.Where {
		return configs.CompareNames(a.Where, b.Where)
	}
	return strings.Compare(a.Name, b.Name)
}
