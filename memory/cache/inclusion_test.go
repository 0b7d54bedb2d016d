package cache

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	_ "github.com/causeway-sim/causeway/memory/ideal"
	_ "github.com/causeway-sim/causeway/workloads/player"
)

// bruteCache is an LRU cache as a list per set, the line used last in front.
type bruteCache struct {
	sets [][]bruteLine
	ways int
	n    map[string]float64
}

type bruteLine struct {
	line  uint64
	dirty bool
}

func newBrute(sets, ways int) *bruteCache {
	return &bruteCache{make([][]bruteLine, sets), ways, map[string]float64{}}
}

func (c *bruteCache) set(line uint64) *[]bruteLine { return &c.sets[line%uint64(len(c.sets))] }

// remove takes a line out, if it is there.
func (c *bruteCache) remove(line uint64) (l bruteLine, ok bool) {
	s := c.set(line)
	i := slices.IndexFunc(*s, func(l bruteLine) bool { return l.line == line })
	if i < 0 {
		return l, false
	}
	l = (*s)[i]
	*s = slices.Delete(*s, i, i+1)
	return l, true
}

// put puts a line in front, and returns the one that has to go.
func (c *bruteCache) put(l bruteLine) (victim bruteLine, evicted bool) {
	s := c.set(l.line)
	if len(*s) == c.ways {
		victim, evicted = (*s)[c.ways-1], true
		*s = (*s)[:c.ways-1]
		c.n["evictions"]++
	}
	*s = slices.Insert(*s, 0, l)
	return victim, evicted
}

// brute is one cache above another, one access after the other.
type brute struct {
	mode          string
	up, down      *bruteCache
	reads, writes int             // of memory
	fetched       map[uint64]bool // lines of the lower cache that the upper one fetched, and has not written since
}

func (b *brute) access(line uint64, write bool) {
	b.up.n["accesses"]++
	if l, ok := b.up.remove(line); ok {
		b.up.n["hits"]++
		b.up.put(bruteLine{line, l.dirty || write})
		return
	}
	victim, evicted := b.up.put(bruteLine{line, write})
	b.fetch(line)
	if evicted && victim.dirty {
		b.up.n["write_backs"]++
	}
	switch {
	case evicted && b.mode == "exclusive":
		b.down.n["victims"]++
		if !victim.dirty {
			b.down.n["clean_victims"]++
		}
		b.place(victim)
	case evicted && victim.dirty:
		delete(b.fetched, victim.line)
		b.down.n["accesses"]++
		if _, ok := b.down.remove(victim.line); ok {
			b.down.n["hits"]++
			b.down.put(victim)
		} else {
			b.place(victim)
		}
	}
}

// fetch asks the lower cache for a line of the upper one.
func (b *brute) fetch(line uint64) {
	b.down.n["accesses"]++
	l, ok := b.down.remove(line)
	if ok {
		b.down.n["hits"]++
	} else {
		b.reads++
		l = bruteLine{line: line}
	}
	if b.mode != "exclusive" {
		if ok {
			b.down.put(l)
		} else {
			b.place(l)
		}
		b.fetched[line] = true
		return
	}
	if ok {
		b.down.n["lines_moved_up"]++
	}
	if l.dirty {
		up, _ := b.up.remove(line)
		up.dirty = true
		b.up.put(up)
	}
}

// place brings a line into the lower cache.
func (b *brute) place(l bruteLine) {
	victim, evicted := b.down.put(l)
	if !evicted {
		return
	}
	if victim.dirty {
		b.down.n["write_backs"]++
		b.writes++
	}
	if b.mode != "inclusive" {
		return
	}
	if b.fetched[victim.line] {
		b.down.n["back_invalidations"]++
	}
	delete(b.fetched, victim.line)
	if up, ok := b.up.remove(victim.line); ok {
		b.up.n["lines_lost"]++
		if up.dirty {
			b.up.n["dirty_lines_lost"]++
			b.down.n["accesses"]++ // it passes through
			b.writes++
		}
	}
}

// One cache above another comes to what lists do, access by access, at every inclusion
// and fidelity: hits, evictions, what is given up and taken back, and what memory sees. An exclusive cache gets
// each line of a read of several on its own.
func TestInclusionAgainstLists(t *testing.T) {
	r, wide := rand.New(rand.NewPCG(3, 4)), rand.New(rand.NewPCG(5, 6))
	for _, mode := range []string{"none", "inclusive", "exclusive"} {
		for round := range 6 {
			upSets, upWays, downSets, downWays := 1<<r.IntN(3), 1+r.IntN(4), 1<<r.IntN(4), 1+r.IntN(6)
			fidelity, within := "functional", 0.0
			if round%2 == 1 {
				fidelity, within = "timed, posted: false", 0.05
				upWays, downWays, downSets = upWays+3, downWays+2, 8*downSets
			}
			b := &brute{mode: mode, fetched: map[uint64]bool{}, up: newBrute(upSets, upWays), down: newBrute(downSets, downWays)}
			var trace strings.Builder
			lines := uint64(2 * (upSets*upWays + downSets*downWays))
			for range 3000 {
				line, write := r.Uint64N(lines), r.IntN(3) == 0
				if r.IntN(2) == 0 {
					line = r.Uint64N(1 + lines/4)
				}
				op := "R"
				if write {
					op = "W"
				}
				n := uint64(1)
				if round%2 == 0 && mode == "exclusive" && !write {
					n += wide.Uint64N(uint64(upSets)) // no two lines are in one set
				}
				fmt.Fprintf(&trace, "%s,%d,%d\n", op, line*64, 64*(n-1)+8)
				for k := range n {
					b.access(line+k, write)
				}
			}
			path := filepath.Join(t.TempDir(), "t.csv")
			require.NoError(t, os.WriteFile(path, []byte("op,addr,size\n"+trace.String()), 0o600))
			text := fmt.Sprintf(`schema: causeway/1
nodes:
  - {name: Driver, kind: driver, trace: %q, mode: "closed:1"}
  - {name: Up, kind: cache, fidelity: %s, size: %dB, ways: %d}
  - {name: Down, kind: cache, fidelity: %s, size: %dB, ways: %d, inclusion: %s}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 50ns}
links: [Driver -> Up.top, Up.bottom -> Down.top, Down.bottom -> Mem]
`, path, fidelity, upSets*upWays*64, upWays, fidelity, downSets*downWays*64, downWays, mode)
			all := inclusionMetrics(t, text)
			for name, c := range map[string]*bruteCache{"Up": b.up, "Down": b.down} {
				for _, metric := range []string{"accesses", "hits", "evictions", "write_backs", "back_invalidations", "lines_lost", "dirty_lines_lost", "lines_moved_up", "victims", "clean_victims"} {
					// with time, what goes below may pass what was missed after it
					require.InDelta(t, c.n[metric], all[name+"."+metric], (c.n[metric]+200)*within, "%s.%s\n%s", name, metric, text)
				}
			}
			require.InDelta(t, b.reads, all["Mem.reads"], float64(b.reads+200)*within, text)
			require.InDelta(t, b.writes, all["Mem.writes"], float64(b.writes+200)*within, text)
		}
	}
}

func inclusionMetrics(t *testing.T, text string) map[string]float64 {
	s := runSystem(t, text)
	out := map[string]float64{}
	for _, n := range s.Nodes() {
		require.Empty(t, n.Stats().Verify(), n.Name())
		for _, m := range n.Stats().Metrics() {
			out[n.Name()+"."+m.Name] = m.Value
		}
	}
	return out
}

func runSystem(t *testing.T, text string) *system.System {
	t.Helper()
	d, err := configs.Parse("t.yaml", []byte(text), configs.Options{Dir: "."})
	require.NoError(t, err)
	e := engine.New()
	s, err := system.Build(d, &system.Env{Engine: e})
	require.NoError(t, err)
	for _, n := range s.Nodes() {
		if x, ok := n.(system.Starter); ok {
			require.NoError(t, x.Start())
		}
	}
	require.NoError(t, e.Run())
	return s
}

// Under load from several caches above, an inclusive cache holds every line that they
// hold, and an exclusive one below a single cache none of them.
func TestInclusionUnderLoad(t *testing.T) {
	for _, fidelity := range []string{"functional", "timed"} {
		for _, mode := range []string{"inclusive", "inclusive, prefetch: {name: next_line, degree: 2}", "exclusive"} {
			text := fmt.Sprintf(`schema: causeway/1
nodes:
  - {name: Driver, kind: driver, count: 3, mode: "closed:8", bytes: 100B, generate: {name: hot_set, cores: 3, lag: 9, count: 4000, size: 256KiB, hot: 32KiB}}
  - {name: Up, kind: cache, fidelity: %s, count: 3, size: 8KiB, ways: 4}
  - {name: Down, kind: cache, fidelity: %s, size: 16KiB, ways: 4, inclusion: %s, policy: {name: mockingjay}}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 50ns}
links: [Driver -> Up.top, Up.bottom -> Down.top, Down.bottom -> Mem]
`, fidelity, fidelity, mode)
			if mode == "exclusive" {
				text = strings.NewReplacer("count: 3, ", "", "cores: 3, ", "", "mockingjay", "srrip").Replace(text)
			}
			s := runSystem(t, text)
			state := func(n system.Node) *tagstore.Store { return n.(level).lower().core }
			down, held := state(s.Node("Down")), 0
			for _, n := range s.Array("Up") {
				require.Empty(t, n.Stats().Verify())
				for set := range state(n).Sets() {
					for _, l := range state(n).Lines(set) {
						held++
						require.Equal(t, mode != "exclusive", down.Has(l), "%s %s: line %d of %s", fidelity, mode, l, n.Name())
					}
				}
			}
			require.Greater(t, held, 50)
		}
	}
}

// What an inclusive or exclusive cache cannot be is said with its place.
func TestInclusionRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"inclusion: sometimes":                              "inclusion",
		"inclusion: inclusive, sectors: 2":                  "t.yaml:4:55: nodes.Down.inclusion: inclusive wants lines of one sector",
		"inclusion: exclusive, write: through":              "nodes.Down.inclusion: exclusive wants write: back",
		"inclusion: inclusive, functional: true":            "nodes.Down.inclusion: inclusive wants functional: false",
		"inclusion: exclusive, line: 128B":                  "Up: Down below is exclusive and wants line: 128B, as it has itself here",
		"inclusion: exclusive, prefetch: {name: next_line}": "has no effect on an exclusive cache",
		"prefetch: {degree: 8}":                             "nodes.Down.prefetch: has no name",
	} {
		d, err := configs.Parse("t.yaml", []byte(`schema: causeway/1
nodes:
  - {name: Up, kind: cache, size: 8KiB}
  - {name: Down, kind: cache, size: 64KiB, `+text+`}
  - {name: Mem, kind: memory, fidelity: ideal}
  - {name: Driver, kind: driver, generate: {name: stream, count: 1}}
links: [Driver -> Up.top, Up.bottom -> Down.top, Down.bottom -> Mem]
`), configs.Options{Dir: "."})
		if err == nil {
			_, err = system.Build(d, &system.Env{Engine: engine.New()})
		}
		require.ErrorContains(t, err, want, text)
	}
	d, err := configs.Parse("t.yaml", []byte(`schema: causeway/1
nodes:
  - {name: Up, kind: cache, size: 8KiB}
  - {name: Mid, kind: cache, size: 16KiB, inclusion: exclusive}
  - {name: Down, kind: cache, size: 64KiB, inclusion: inclusive}
  - {name: Mem, kind: memory, fidelity: ideal}
  - {name: Driver, kind: driver, generate: {name: stream, count: 1}}
links: [Driver -> Up.top, Up.bottom -> Mid.top, Mid.bottom -> Down.top, Down.bottom -> Mem]
`), configs.Options{Dir: "."})
	require.NoError(t, err)
	_, err = system.Build(d, &system.Env{Engine: engine.New()})
	require.ErrorContains(t, err, "Mid: Down below is inclusive and wants inclusion: inclusive or none, since an exclusive cache does not hold what it passes up")
}

// Inclusion concerns the lines of caches above: without one it is said to have no effect.
func TestInclusionWithoutACacheAbove(t *testing.T) {
	for links, want := range map[string]int{
		"[Driver -> Up.top, Up.bottom -> Down.top, Down.bottom -> Mem]": 1,
		"[Driver -> Down.top, Down.bottom -> Up.top, Up.bottom -> Mem]": 0,
	} {
		for _, fidelity := range []string{"functional", "timed"} {
			d, err := configs.Parse("t.yaml", []byte(`schema: causeway/1
nodes:
  - {name: Up, kind: cache, size: 8KiB, inclusion: inclusive}
  - {name: Down, kind: cache, size: 8KiB}
  - {name: Mem, kind: memory, fidelity: ideal}
  - {name: Driver, kind: driver, generate: {name: stream, count: 1}}
links: `+links+"\n"), configs.Options{Dir: ".", Set: []string{"Up.fidelity=" + fidelity, "Down.fidelity=" + fidelity}})
			require.NoError(t, err)
			s, err := system.Build(d, &system.Env{Engine: engine.New()})
			require.NoError(t, err)
			said := s.Node("Up").(system.Warner).Warnings()
			require.Len(t, said, want)
			if want > 0 {
				require.Equal(t, "Up: inclusion: inclusive has no effect: no cache is linked to its port top", said[0])
			}
			require.Empty(t, s.Node("Down").(system.Warner).Warnings())
		}
	}
}
