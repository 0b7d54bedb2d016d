package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/task"
)

// A watch checks the stream while it is read and keeps what the tests ask for.
type watch struct {
	t      *testing.T
	sum    hash.Hash
	events int
	last   task.Event
	open   map[task.ID]task.Event
	kinds  map[task.ID]task.Kind
	from   map[string]int     // "burst of tile": tasks
	total  map[string]float64 // seconds of the tasks of a node and kind
	count  map[string]int
}

func newWatch(t *testing.T) *watch {
	return &watch{t: t, sum: sha256.New(), open: map[task.ID]task.Event{}, kinds: map[task.ID]task.Kind{},
		from: map[string]int{}, total: map[string]float64{}, count: map[string]int{}}
}

func (w *watch) Task(s *task.Stream, e task.Event) {
	l := w.last
	ordered := e.At > l.At || e.At == l.At && (e.ID > l.ID || e.ID == l.ID && e.Phase >= l.Phase)
	w.must(ordered, "is out of order", e)
	w.last = e
	w.events++
	fmt.Fprintln(w.sum, s.Nodes()[e.ID.Node()].Name(), e.ID, e.Parent, e.Kind, s.Text(e.ID, e.What), e.Phase, e.Bytes)
	_ = binary.Write(w.sum, binary.LittleEndian, math.Float64bits(float64(e.At)))
	begun, open := w.open[e.ID]
	switch e.Phase {
	case task.Begin:
		w.must(w.kinds[e.ID] == 0, "begins twice", e)
		parent := "none"
		if e.Parent != 0 {
			w.must(w.kinds[e.Parent] != 0, "begins before its parent", e)
			parent = w.kinds[e.Parent].String()
		}
		w.from[e.Kind.String()+" of "+parent]++
		w.open[e.ID], w.kinds[e.ID] = e, e.Kind
	case task.Step:
		w.must(open, "passes a step, but is not open", e)
	case task.End:
		w.must(open, "ends, but is not open", e)
		key := s.Nodes()[e.ID.Node()].Name() + " " + begun.Kind.String()
		w.total[key] += float64(e.At - begun.At)
		w.count[key]++
		delete(w.open, e.ID)
	}
}

func (w *watch) must(ok bool, what string, e task.Event) {
	if !ok {
		w.t.Fatalf("task %s: %+v", what, e)
	}
}

// watched runs a configuration with a watch.
func watched(t *testing.T, file string, o experiment.Options) (*watch, artifacts, *result.Result) {
	t.Helper()
	w := newWatch(t)
	o.Tasks = []task.Listener{w}
	x, err := experiment.Load(filepath.Join(repository(t), "configs", "examples", file), o)
	require.NoError(t, err)
	r, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	b, err := r.JSON()
	require.NoError(t, err)
	require.Empty(t, w.open, "every task ends")
	return w, artifacts{string(b), string(result.MetricsCSV(r.Metrics)), string(result.TableCSV(r.Layers)), string(r.Config)}, r
}

// small is a network of two layers, as --set wants it.
func small(t *testing.T, dir string) []string {
	t.Helper()
	path := filepath.Join(dir, "small.csv")
	text := "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides,\n" +
		"conv1, 18, 18, 3, 3, 32, 64, 1,\nconv2, 16, 16, 1, 1, 64, 96, 1,\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	// tiles of least traffic, which are many
	return []string{"workload={file: " + path + "}", "mapping.objective=traffic"}
}

// The stream is equal under every engine, byte for byte, and listening to it changes
// no result.
func TestTasksAreEqualUnderEveryEngine(t *testing.T) {
	small := small(t, t.TempDir())
	for _, c := range []struct {
		file string
		set  []string
	}{
		{"resnet50_cache.yaml", small},
		{"resnet50_cache.yaml", append(small, "LLC.fidelity=functional", "LLC.detail=null")},
		{"multicore.yaml", append(small, "mapping.split=column")},
		{"multicore_network.yaml", append(small, "mapping.split=column")},
		{"allreduce.yaml", []string{"bytes=4KiB"}},
		{"allreduce.yaml", []string{"bytes=4KiB", "Net.fidelity=flit"}},
		{"cache.yaml", []string{"Driver.limit=40"}},
		{"cxl-pool.yaml", []string{"until=1us"}},
		{"cache.yaml", []string{"Driver.limit=40", "Driver.mode=open:3", "LLC.fidelity=timed"}},
		{"mesh.yaml", []string{"Traffic.load=0.1", "Traffic.rules={sample: 300, samples: 5}"}},
		{"dragonfly.yaml", []string{"Traffic.rules={sample: 100, samples: 4}"}},
		{"mesh.yaml", []string{"Traffic.load=0.1", "Traffic.rules={sample: 300, samples: 5}", "Net.router.model=fogsim"}},
		{"roofline.yaml", nil},
		{"scalesim.yaml", nil},
		{"gpu.yaml", nil},
		{"gpu_shared.yaml", []string{"rows=64"}},
		{"../studies/kai/kai.yaml", nil},
		{"../studies/cxl-xlink/service.yaml", []string{"pool=nvlink"}},
		{"../studies/colloid/colloid.yaml", []string{"until=30us", "others=30us", "warmup=10us", "far=ideal"}},
		{"../studies/tsim4cxl/compat.yaml", []string{"ports=2"}},
	} {
		t.Run(c.file, func(t *testing.T) {
			x, err := experiment.Load(filepath.Join(repository(t), "configs", "examples", c.file), experiment.Options{Set: c.set})
			quiet := artifactsOf(t, x, err)
			first, got, _ := watched(t, c.file, experiment.Options{Set: c.set})
			require.Equal(t, quiet, got, "listening changes a result")
			require.NotZero(t, first.events)
			want := hex.EncodeToString(first.sum.Sum(nil))
			t.Logf("%d events: %v", first.events, first.from)
			for _, e := range []string{"serial", "parallel", "shuffle:1", "shuffle:2"} {
				w, _, _ := watched(t, c.file, experiment.Options{Set: c.set, Engine: e})
				require.Equal(t, first.events, w.events, e)
				require.Equal(t, want, hex.EncodeToString(w.sum.Sum(nil)), e)
			}
		})
	}
}

// A request crosses a CXL fabric as one task, which the memory of the device works for.
func TestTasksOfCXL(t *testing.T) {
	t.Parallel()
	w, _, r := watched(t, "cxl-pool.yaml", experiment.Options{Set: []string{"until=1us"}})
	sum := 0.0
	for _, m := range r.Metrics {
		if m.Phase == "all" && strings.HasPrefix(m.Where, "Root") && (m.Name == "reads" || m.Name == "writes") {
			sum += m.Value
		}
	}
	require.Positive(t, sum)
	require.EqualValues(t, sum, w.from["cxl of request"])
	require.Positive(t, w.from["memory of cxl"])
	require.Zero(t, w.from["memory of none"])
	t.Log(w.from)
}

// Every rank takes part in the collective, and its messages descend from that.
func TestMessagesOfACollectiveDescendFromIt(t *testing.T) {
	t.Parallel()
	w, _, r := watched(t, "allreduce.yaml", experiment.Options{Set: []string{"bytes=4KiB"}})
	require.Equal(t, 72, w.from["collective of none"])
	require.Zero(t, w.from["message of none"])
	sent, ok := r.Metric("Net", "messages")
	require.True(t, ok)
	require.EqualValues(t, sent.Value, w.from["message of collective"])
}

// A DRAM request descends from the cache access that missed, that from the DMA burst,
// the burst from its tile, and the tile from its layer; and the tasks add up to the
// metrics of their nodes.
func TestTasksAddUpToMetrics(t *testing.T) {
	t.Parallel()
	w, _, r := watched(t, "resnet50_cache.yaml", experiment.Options{Set: append(small(t, t.TempDir()), "Core.on_chip=outputs")}) // all: bursts of the next layer belong to no tile
	metric := func(where, name string) float64 {
		m, ok := r.Metric(where, name)
		require.True(t, ok, name)
		return m.Value
	}
	for name := range w.from {
		switch name {
		case "layer of none", "tile of layer", "compute of tile", "burst of tile", "access of burst", "memory of access":
		default:
			t.Errorf("%d tasks are %s", w.from[name], name)
		}
	}
	require.Len(t, w.from, 6)
	require.InEpsilon(t, (metric("Core", "compute_cycles"))/940e6, w.total["Core compute"], 1e-9)
	require.InEpsilon(t, (metric("Core", "total_cycles")-metric("Core", "stall_dependency_cycles"))/940e6, w.total["Core layer"], 1e-9)
	require.Equal(t, len(r.Layers.Rows), w.count["Core layer"])
	require.EqualValues(t, metric("LLC", "reads")+metric("LLC", "writes"), w.count["LLC access"])
	require.EqualValues(t, metric("Mem", "reads")+metric("Mem", "writes"), w.count["Mem memory"])
}

// The tasks of other nodes add up to their metrics as well.
func TestTasksOfEveryKindAddUp(t *testing.T) {
	t.Parallel()
	const ns = 1e-9
	for _, c := range []struct {
		file  string
		set   []string
		node  string
		kind  task.Kind
		count string  // metric
		mean  string  // metric, ns
		total string  // metric
		unit  float64 // seconds of total
	}{
		{"roofline.yaml", nil, "Chip", task.Layer, "", "", "total_cycles", ns},
		{"scalesim.yaml", nil, "Core", task.Layer, "", "", "total_cycles", ns},
		{"../studies/kai/kai.yaml", nil, "Near", task.Kernel, "launches", "", "run_time", ns},
		{"../studies/kai/kai.yaml", nil, "Near", task.Compute, "device_tasks+host_tasks", "", "", 0},
		{"../studies/cxl-xlink/service.yaml", []string{"pool=nvlink"}, "GPU", task.Request, "reads", "read_latency_mean", "", 0},
		{"../studies/cxl-xlink/service.yaml", []string{"pool=nvlink"}, "Pool.XLink", task.Link, "reads", "load_latency_mean", "", 0},
		{"../studies/cxl-xlink/service.yaml", nil, "GPU", task.Iteration, "", "", "total_time", ns},
		{"../studies/colloid/colloid.yaml", []string{"until=30us", "others=30us", "warmup=1ns", "far=ideal"}, "Tier", task.Tiered, "reads+writes", "", "", 0},
		{"../studies/colloid/colloid.yaml", []string{"until=30us", "others=30us", "warmup=1ns", "far=ideal"}, "Tier", task.Move, "moves", "move_time_mean", "", 0},
		{"mesh.yaml", []string{"Traffic.load=0.1", "Traffic.rules={sample: 300, samples: 5}"}, "Traffic", task.Request, "packets", "", "", 0},
	} {
		w, _, r := watched(t, c.file, experiment.Options{Set: c.set})
		sum := func(names string) (v float64) {
			for _, name := range strings.Split(names, "+") {
				m, ok := r.Metric(c.node, name)
				require.True(t, ok, "%s %s", c.file, name)
				v += m.Value
			}
			return v
		}
		key := c.node + " " + c.kind.String()
		require.Positive(t, w.count[key], key)
		if c.count != "" {
			require.EqualValues(t, sum(c.count), w.count[key], key)
		}
		if c.mean != "" {
			require.InEpsilon(t, sum(c.mean)*ns, w.total[key]/float64(w.count[key]), 1e-6, key)
		}
		if c.total != "" {
			require.InEpsilon(t, sum(c.total)*c.unit, w.total[key], 1e-6, key)
		}
	}
}
