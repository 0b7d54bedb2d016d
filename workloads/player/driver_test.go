package player_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	"github.com/causeway-sim/causeway/memory"
	_ "github.com/causeway-sim/causeway/memory/curve"
	"github.com/causeway-sim/causeway/memory/ideal"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// A bench is a system with one driver.
type bench struct {
	sys    *system.System
	engine sim.Engine
}

// build makes a system of the nodes and links in text, with the trace in a file.
func build(t require.TestingT, e sim.Engine, text string) *bench {
	d, err := configs.Parse("test.yaml", []byte("schema: causeway/1\n"+text), configs.Options{Dir: "."})
	require.NoError(t, err)
	s, err := system.Build(d, &system.Env{Engine: e})
	require.NoError(t, err)
	return &bench{s, e}
}

func (b *bench) run(t require.TestingT) error {
	for _, n := range b.sys.Nodes() {
		if s, ok := n.(system.Starter); ok {
			if err := s.Start(); err != nil {
				return err
			}
		}
	}
	return b.engine.Run()
}

func (b *bench) metrics(node string) map[string]float64 {
	out := map[string]float64{}
	for _, m := range b.sys.Node(node).Stats().Metrics() {
		out[m.Name] = m.Value
	}
	return out
}

// pair is a driver on an ideal memory; keys are more keys of either.
func pair(file, driver, mem string) string {
	return fmt.Sprintf("nodes:\n  - {name: Driver, kind: driver, trace: %q, %s}\n  - {name: Mem, kind: memory, fidelity: ideal, %s}\nlinks: [Driver -> Mem]\n", file, driver, mem)
}

// dir is a folder for files of one test.
func dir(t require.TestingT) string {
	d, err := os.MkdirTemp("", "player")
	require.NoError(t, err)
	return d
}

func file(t require.TestingT, d, name, text string) string {
	path := filepath.Join(d, name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// Not at t-1, exactly at t: one request at a time on a memory of 26 cycles ends
// every 27 cycles, as a test bench that calls its memory once per cycle finds.
func TestClosedLoopOfOne(t *testing.T) {
	path := file(t, t.TempDir(), "a.trc", strings.Repeat("R 40\n", 1000))
	b := build(t, engine.New(), pair(path, "mode: closed:1", "clock: 1600MHz, latency: 26cycle"))
	require.NoError(t, b.run(t))
	got := b.metrics("Driver")
	require.Equal(t, 26.0, got["read_latency_from_accept_mean"])
	require.NotContains(t, got, "read_latency_from_accept", "one name for one number")
	require.Equal(t, 16.25, got["read_latency_from_accept_p99_ns"])
	require.Equal(t, float64(999*27+26), got["total_cycles"])
	require.Equal(t, 26.0, b.metrics("Mem")["latency_mean"]*1.6)
}

// limit and repeat play the beginning of a trace again; times go on after the
// last one.
func TestLimitAndRepeat(t *testing.T) {
	path := file(t, t.TempDir(), "a.trace", "0x0 READ 10\n0x40 READ 20\n0x80 READ 30\n")
	b := build(t, engine.New(), pair(path, "mode: timed, limit: 2, repeat: 3", "latency: 5cycle"))
	require.NoError(t, b.run(t))
	got := b.metrics("Driver")
	require.Equal(t, 6.0, got["requests"])
	require.Equal(t, float64(20+21+21+5), got["total_cycles"]) // passes begin at 0, 21, 42
}

// A trace that is shorter than the limit is played to its end, and then all work
// is done.
func TestLimitBeyondTheTrace(t *testing.T) {
	path := file(t, t.TempDir(), "a.trace", "0x0 READ 10\n0x40 READ 20\n0x80 READ 30\n")
	for extra, want := range map[string]int64{"limit: 4": 3, "limit: 9, repeat: 2": 6, "limit: 3, repeat: 2": 6, "limit: 2": 2} {
		b := build(t, engine.New(), pair(path, extra, "latency: 5cycle"))
		require.NoError(t, b.run(t))
		require.Equal(t, float64(want), b.metrics("Driver")["requests"], extra)
		for _, n := range b.sys.Nodes() {
			if p, ok := n.(interface{ Progress() (done, total int64) }); ok {
				done, total := p.Progress()
				require.Equal(t, [2]int64{want, want}, [2]int64{done, total}, extra)
			}
		}
	}
}

// Exact times are rounded up to cycles of the driver's clock.
func TestTimesOfTheTrace(t *testing.T) {
	path := file(t, t.TempDir(), "a.csv", "time_ns,op,addr\n1,R,0\n7,R,64\n")
	b := build(t, engine.New(), pair(path, "mode: timed", "clock: 416ps, latency: 5cycle"))
	require.NoError(t, b.run(t))
	require.Equal(t, float64(17+5), b.metrics("Driver")["total_cycles"]) // 7 ns are 16.8 cycles
}

// A request over two memories is cut at their borders, one part per cycle, and is
// done with its last part.
func TestPartsOfOneRequest(t *testing.T) {
	path := file(t, t.TempDir(), "a.stl", "0: (256) read 0x20\n0: (64) write 0x0\n")
	e := engine.New()
	s := player.DefaultSpec()
	s.Trace, s.Mode = path, player.Mode{Kind: player.Closed, N: 2}
	d, err := player.New("Driver", e, s)
	require.NoError(t, err)
	m := ideal.DefaultSpec()
	m.Latency = units.InCycles(10)
	mems := []*ideal.Comp{ideal.New("Mem[0]", e, m), ideal.New("Mem[1]", e, m)}
	w := engine.NewWire("Link", e)
	spec := d.PortSpecs()[0]
	w.Attach(spec.Ports[0], spec.Clock, engine.EndOptions{Buffer: spec.Buffer})
	r := memory.Range{Size: 1 << 20, Interleave: 64}
	for _, x := range mems {
		p := x.GetPortByName("Top")
		w.Attach(p, clock.GHz, engine.EndOptions{Buffer: 16})
		r.Ports, r.Paths = append(r.Ports, p), append(r.Paths, memory.Path{Clock: clock.GHz})
	}
	homes, err := memory.NewMap(r)
	require.NoError(t, err)
	require.NoError(t, d.SetMap("mem", homes))
	require.NoError(t, d.Start())
	require.NoError(t, e.Run())
	got := map[string]float64{}
	for _, x := range append([]system.Node{d}, mems[0], mems[1]) {
		require.Empty(t, x.Stats().Verify())
		for _, m := range x.Stats().Metrics() {
			got[x.Name()+"."+m.Name] = m.Value
		}
	}
	require.Equal(t, 2.0, got["Driver.requests"])
	// parts of 32, 64, 64, 64 and 32 bytes leave in cycles 0 to 4, the write in 5
	require.Equal(t, 3.0, got["Mem[0].reads"])
	require.Equal(t, 32.0+64+32, got["Mem[0].read_bytes"])
	require.Equal(t, 2.0, got["Mem[1].reads"])
	require.Equal(t, 1.0, got["Mem[0].writes"])
	require.Equal(t, 4.0+10, got["Driver.read_latency_from_accept_mean"])
	require.Equal(t, 5.0+10, got["Driver.total_cycles"])
}

// The same bytes under every engine and every order of equal-time events, with
// several drivers of odd clocks on one memory.
func TestConformance(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "%c %x\n", "RRW"[i%3], i*4096%65536)
	}
	path := file(t, dir, "a.trc", text.String())
	run := func(e sim.Engine) string {
		b := build(t, e, fmt.Sprintf(`nodes:
  - {name: A, kind: driver, trace: %[1]q, mode: "closed:7"}
  - {name: B, kind: driver, trace: %[1]q, mode: "open:3", clock: 940MHz}
  - {name: C, kind: driver, trace: %[1]q, mode: "closed:2", clock: 416ps, posted: true, bytes: 4KiB}
  - {name: Mem, kind: memory, fidelity: curve, clock: 1600MHz}
links: [A -> Mem, B -> Mem, C -> Mem]
`, path))
		require.NoError(t, b.run(t))
		out := ""
		for _, n := range b.sys.Nodes() {
			require.Empty(t, n.Stats().Verify())
			out += fmt.Sprintln(n.Stats().Metrics())
		}
		return out
	}
	want := run(engine.New())
	require.Equal(t, want, run(sim.NewSerialEngine()))
	for range 3 {
		require.Equal(t, want, run(sim.NewParallelEngine()))
	}
	for seed := range uint64(20) {
		require.Equal(t, want, run(engine.New(engine.Shuffle(seed))))
	}
}

// A record that cannot be read ends the run when what is before it is answered.
func TestBrokenTrace(t *testing.T) {
	path := file(t, t.TempDir(), "a.trc", strings.Repeat("R 40\n", 200)+"R\n"+strings.Repeat("R 40\n", 10))
	b := build(t, engine.New(), pair(path, "mode: closed:8", "latency: 100cycle"))
	err := b.run(t)
	var e *trace.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, path+":201:2: the hexadecimal address is missing", e.Error())
	got := b.metrics("Driver")
	require.Equal(t, 200.0, got["requests_done"])
	require.Equal(t, 200.0, got["reads"])
	require.Empty(t, b.sys.Node("Driver").Stats().Verify())
}

// An address without a home names the record, before the run; wrap folds it.
func TestAddressWithoutHome(t *testing.T) {
	dir := t.TempDir()
	path := file(t, dir, "a.trc", "R 0\nR 10000\n")
	for keys, want := range map[string]string{
		"trace: " + path: path + ":2: address 0x10000 has no home (base: and wrap: move addresses)",
		"trace: " + file(t, dir, "b.trc", "R 0\nR ffc0\nR ffc1\n"):                    "b.trc:3: address 0x10000 has no home",
		"generate: {name: random, size: 68KiB, count: 500}":                           " has no home",
		"generate: {name: stream, size: 64KiB, update: false}, base: 64B, until: 1us": "address 0x10000 has no home",
		"generate: {name: stream, size: 64KiB}":                                       "nodes.Driver.generate: stream never ends: it needs a count here, or limit: or until: of the driver",
		"generate: {name: hot_set}, mode: open:3":                                     "hot_set never ends",
		"generate: {name: random}, repeat: 2":                                         "random never ends",
	} {
		d, err := configs.Parse("test.yaml", []byte("schema: causeway/1\nnodes:\n  - {name: Driver, kind: driver, "+keys+"}\n  - {name: Mem, kind: memory, fidelity: ideal, size: 64KiB}\nlinks: [Driver -> Mem]\n"), configs.Options{Dir: "."})
		require.NoError(t, err)
		_, err = system.Build(d, &system.Env{Engine: engine.New()})
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "test.yaml:3:")
	}
	// nothing is wrong with what is not played
	b := build(t, engine.New(), pair(path, "mode: closed:8, limit: 1", "size: 64KiB"))
	require.NoError(t, b.run(t))
	// after the records that are looked at, the run finds it
	long := file(t, dir, "d.trc", strings.Repeat("R 0\n", 1<<20)+"R 10000\n")
	b = build(t, engine.New(), pair(long, "mode: closed:8", "size: 64KiB"))
	err := b.run(t)
	var bad interface{ BadInput() }
	require.True(t, errors.As(err, &bad))
	require.ErrorContains(t, err, long+":1048577: address 0x10000 has no home (base: and wrap: move addresses)")
	require.Equal(t, float64(1<<20), b.metrics("Driver")["requests_done"])
	b = build(t, engine.New(), pair(path, "mode: closed:8, wrap: 64KiB", "size: 64KiB"))
	require.NoError(t, b.run(t))
	b = build(t, engine.New(), pair(path, "mode: closed:8, base: 4KiB", "size: 128KiB"))
	require.NoError(t, b.run(t))
}

// What is wrong with the keys is said before the run.
func TestBadKeys(t *testing.T) {
	dir := t.TempDir()
	good := file(t, dir, "a.trc", "R 0\n")
	empty := file(t, dir, "b.trc", "")
	overlap := file(t, dir, "t.ct", "#causeway-trace/1\n#tensor name=a bytes=100\n#tensor name=b base=99 bytes=1\n")
	for _, c := range []struct{ trace, keys, want string }{
		{good, "mode: closed:0", `nodes.Driver.mode: "closed:0": want 1 to 1048576 outstanding requests`},
		{good, "mode: open", `nodes.Driver.mode: "open" is no mode (want closed:K, open:I or timed)`},
		{good, "levels: [2, 4]", "nodes.Driver.levels: has no effect on format harness of " + good + ", whose addresses are numbers (used by: ramulator_readwrite)"},
		{good, "mode: timed", "nodes.Driver.mode: mode timed: " + good + " has no times (format harness)"},
		{good, "format: usim", `nodes.Driver.format: unknown trace format "usim"`},
		{good, "bytes: 0B", "nodes.Driver.bytes: is 0B (want 1B to 16MiB)"},
		{good, "repeat: 0", "nodes.Driver.repeat: "},
		{empty, "limit: 1", "nodes.Driver.trace: " + empty + ": byte 0: the trace is empty"},
		{"gone.trc", "limit: 1", `nodes.Driver.trace: no file "gone.trc"`},
		{good, fmt.Sprintf("tensors: %q", overlap), "nodes.Driver.tensors: " + overlap + ": tensors a and b overlap"},
	} {
		d, err := configs.Parse("test.yaml", []byte("schema: causeway/1\n"+pair(c.trace, c.keys, "latency: 1ns")), configs.Options{Dir: "."})
		require.NoError(t, err)
		_, err = system.Build(d, &system.Env{Engine: engine.New()})
		require.ErrorContains(t, err, c.want)
	}
}

// Nothing is allocated per request.
func TestNoAllocations(t *testing.T) {
	var text strings.Builder
	for i := range 60000 {
		fmt.Fprintf(&text, "%c %x\n", "RRW"[i%3], i*64)
	}
	path := file(t, t.TempDir(), "a.trc", text.String())
	e := engine.New()
	b := build(t, e, pair(path, "mode: closed:16", "clock: 1600MHz, latency: 50ns"))
	require.NoError(t, b.sys.Node("Driver").(system.Starter).Start())
	c := clock.Hz(1600e6)
	n := uint64(0)
	step := func() {
		n += 4000
		require.NoError(t, e.RunUntil(instant.Of(c, n)))
	}
	step()
	before := b.metrics("Driver")["requests"]
	allocs := testing.AllocsPerRun(10, step)
	sent := b.metrics("Driver")["requests"] - before
	require.Greater(t, sent, 5000.0)
	require.Less(t, allocs, 5.0) // of require itself, in 700 requests
}

func BenchmarkRequest(b *testing.B) {
	var text strings.Builder
	for i := range 100000 {
		fmt.Fprintf(&text, "%c %x\n", "RRW"[i%3], i*64)
	}
	path := file(b, b.TempDir(), "a.trc", text.String())
	for _, mode := range []string{"closed:8", "open:12"} {
		b.Run(mode, func(b *testing.B) {
			b.ReportAllocs()
			s := build(b, engine.New(), pair(path, fmt.Sprintf("mode: %q, repeat: %d, limit: 100000", mode, b.N/100000+1), "clock: 1600MHz, latency: 50ns"))
			b.ResetTimer()
			if err := s.run(b); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/s.metrics("Driver")["requests"], "ns/request")
		})
	}
}

// The requests carry what the trace, or the table of tensors, knows of them.
func TestHints(t *testing.T) {
	dir := t.TempDir()
	native := file(t, dir, "a.ct", "#causeway-trace/1\n#tensor name=k kind=kv_cache bytes=64 accesses=9 sharers=2\n#columns op addr tensor reuse core pc\nR 0x40 1 7 3 0x400\n")
	plain := file(t, dir, "a.trc", "R 0\nR 3f\nR 40\nR 80\n")
	table := file(t, dir, "t.ct", "#causeway-trace/1\n#tensor name=w kind=weight base=0x80 bytes=4 tile=4 write_once=true\n#tensor name=x kind=input base=0x20 bytes=32\n")
	for _, c := range []struct {
		path, tensors string
		want          []memory.Hint
	}{
		{native, "", []memory.Hint{{
			Tensor: 1, Kind: graph.KV, Reuse: 7, Core: 3, PC: 0x400, About: &memory.Tensor{Name: "k", Bytes: 64, Kind: graph.KV, Accesses: 9, Sharers: 2},
		}}},
		{plain, table, []memory.Hint{
			{}, {Tensor: 2, Kind: graph.Input, About: &memory.Tensor{Name: "x", Base: 0x20, Bytes: 32, Kind: graph.Input}},
			{}, {Tensor: 1, Kind: graph.Weight, About: &memory.Tensor{Name: "w", Base: 0x80, Bytes: 4, Kind: graph.Weight, Tile: 4, WriteOnce: true}},
		}},
	} {
		e := engine.New()
		s := player.DefaultSpec()
		s.Trace, s.Tensors = c.path, c.tensors
		d, err := player.New("Driver", e, s)
		require.NoError(t, err)
		m := ideal.New("Mem", e, ideal.DefaultSpec())
		w := engine.NewWire("Link", e)
		spec := d.PortSpecs()[0]
		w.Attach(spec.Ports[0], spec.Clock, engine.EndOptions{Buffer: spec.Buffer})
		w.Attach(m.GetPortByName("Top"), clock.GHz, engine.EndOptions{})
		var got []memory.Hint
		w.AcceptHook(hook(func(x sim.HookCtx) {
			if r, ok := x.Item.(*mem.ReadReq); ok && x.Pos == sim.HookPosConnStartSend {
				got = append(got, *memory.HintOf(r.Info))
			}
		}))
		homes, err := memory.NewMap(memory.Range{Size: 1 << 20, Ports: []sim.Port{m.GetPortByName("Top")}, Paths: []memory.Path{{Clock: clock.GHz}}})
		require.NoError(t, err)
		require.NoError(t, d.SetMap("mem", homes))
		require.NoError(t, d.Start())
		require.NoError(t, e.Run())
		require.Equal(t, c.want, got)
	}
}

type hook func(sim.HookCtx)

func (h hook) Func(c sim.HookCtx) { h(c) }

// Times that step back, as those of several cores in one file do, are those of
// the request before: the source sends in the order of the file.
func TestTimesThatStepBack(t *testing.T) {
	path := file(t, t.TempDir(), "a.trace", "0x0 READ 100\n0x40 READ 20\n0x80 READ 30\n")
	b := build(t, engine.New(), pair(path, "mode: timed, repeat: 2", "latency: 5cycle"))
	require.NoError(t, b.run(t))
	got := b.metrics("Driver")
	require.Equal(t, float64(101+100+2+5), got["total_cycles"])
	require.Equal(t, 2.0+5, got["read_latency_from_arrival_max"])
}
