package prefetch

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The lists of lines that the rules call for equal those of the public programs: testdata/oracle.txt has
// their number and a hash of each list, and says how it was made. With CAUSEWAY_ORACLE=folder the test writes
// the events of each trace there, and our lists, for the programs to be asked again.
func TestRulesEqualTheirPrograms(t *testing.T) {
	f, err := os.Open("testdata/oracle.txt")
	require.NoError(t, err)
	defer f.Close()
	rows := 0
	for s := bufio.NewScanner(f); s.Scan(); {
		w := strings.Fields(s.Text())
		if len(w) == 0 || w[0] == "#" {
			continue
		}
		rows++
		want, err := strconv.Atoi(w[2])
		require.NoError(t, err)
		spec := map[string]any{"berti": BertiSpec{Degree: 12, Sets: 8, Ways: 16, Streams: 17, Deltas: 16, Flights: 32, High: 65, Medium: 50, Low: 35}}[w[0]]
		p := newPlay(t, w[0], spec)
		if dir := os.Getenv("CAUSEWAY_ORACLE"); dir != "" {
			p.open(t, filepath.Join(dir, w[0]+"-"+w[1]))
		}
		for _, a := range oracleTraces[w[1]]() {
			p.access(a)
		}
		p.close()
		assert.Equal(t, want, p.lines, "%s on %s", w[0], w[1])
		assert.Equal(t, w[3], fmt.Sprintf("%016x", p.list.Sum64()), "%s on %s", w[0], w[1])
	}
	require.Equal(t, 4*len(oracleTraces), rows)
}

// A touch is an access of a trace: a line by an instruction, some cycles after the one before.
type touch struct{ line, ip, gap uint64 }

// oracleTraces are streams that the rules were made for, and some that they were not.
var oracleTraces = map[string]func() []touch{
	// instructions with strides of their own in turn, up and down, across pages
	"strides": func() (out []touch) {
		at := []int64{1 << 20, 1<<21 + 5, 1<<22 + 60, 1 << 23, 1<<24 + 999}
		step := []int64{1, 2, -1, 7, -13}
		r := rand.New(rand.NewPCG(1, 1))
		for range 4000 {
			i := r.IntN(len(at))
			at[i] += step[i]
			out = append(out, touch{uint64(at[i]), 0x400010 + uint64(i)*24, 70 + r.Uint64N(60)})
		}
		return out
	},
	// the same deltas in page after page
	"deltas": func() (out []touch) {
		deltas := [][]uint64{{1, 3, 1, 3, 2}, {5, 2, 5, 2}, {9, 1, 1, 9, 4, 4}}
		r := rand.New(rand.NewPCG(2, 2))
		for page := uint64(1 << 14); len(out) < 6000; page += 1 + r.Uint64N(3) {
			d, at := deltas[r.IntN(3)], r.Uint64N(4)
			for i := 0; at < 64; i++ {
				out = append(out, touch{page<<6 | at, 0x500020 + d[0]*40, 80 + r.Uint64N(20)})
				at += d[i%len(d)]
			}
		}
		return out
	},
	// the same footprints of regions, which come again by place and by address
	"footprints": func() (out []touch) {
		prints := [][]uint64{{3, 7, 8, 20, 31}, {0, 1, 2, 5}, {12, 30, 4, 17, 18, 19}, {3, 9, 27}}
		r := rand.New(rand.NewPCG(3, 3))
		for len(out) < 12000 {
			region := 1<<16 + r.Uint64N(700)
			i := region % 4
			for _, o := range prints[i] {
				if r.IntN(12) > 0 {
					out = append(out, touch{region<<5 | o, 0x600004 + i*84, 72 + r.Uint64N(9)})
				}
			}
		}
		return out
	},
	// any line of a working set twice as large as the cache, by any of 40 instructions
	"random": func() (out []touch) {
		r := rand.New(rand.NewPCG(4, 4))
		for range 6000 {
			out = append(out, touch{1<<18 + r.Uint64N(1500), 0x700000 + 20*r.Uint64N(40) + 36, 71 + r.Uint64N(300)})
		}
		return out
	},
}

// A play runs a rule in a cache of 64 sets of 12 ways with LRU, whose lines take 160 cycles. As in the
// programs' caches a line takes its way when it has come, and 16 lines are under way at most by prefetches.
type play struct {
	rule   Rule
	sets   [64][12]struct{ line, used uint64 }
	way    []playLine // under way, in the order in which they come
	cycle  uint64
	clock  uint64
	lines  int
	list   interface{ Sum64() uint64 }
	events *bufio.Writer
	ours   *bufio.Writer
	files  []*os.File
	write  func(text string)
}

type playLine struct {
	line, at   uint64
	prefetched bool
}

func newPlay(t *testing.T, name string, spec any) *play {
	rule, err := newRule(name, spec, Geometry{Line: 64, Slots: 64 * 12})
	require.NoError(t, err)
	h := fnv.New64a()
	p := &play{rule: rule, list: h}
	p.write = func(text string) { _, _ = h.Write([]byte(text)) }
	return p
}

// open has the events and lists written to files.
func (p *play) open(t *testing.T, path string) {
	for i, ext := range []string{".events", ".ours"} {
		f, err := os.Create(path + ext)
		require.NoError(t, err)
		p.files = append(p.files, f)
		*[]**bufio.Writer{&p.events, &p.ours}[i] = bufio.NewWriter(f)
	}
}

func (p *play) close() {
	if p.events != nil {
		p.events.Flush()
		p.ours.Flush()
		for _, f := range p.files {
			f.Close()
		}
	}
}

func (p *play) event(format string, args ...any) {
	if p.events != nil {
		fmt.Fprintf(p.events, format+"\n", args...)
	}
}

// find returns the slot of a line, -1 if it is not there.
func (p *play) find(line uint64) int {
	set := &p.sets[line%64]
	for w := range set {
		if set[w].line == line && set[w].used > 0 {
			return int(line%64)*12 + w
		}
	}
	return -1
}

func (p *play) underWay(line uint64) *playLine {
	for i := range p.way {
		if p.way[i].line == line {
			return &p.way[i]
		}
	}
	return nil
}

// fill fills the lines that have come by a cycle.
func (p *play) fill(by uint64) {
	for len(p.way) > 0 && p.way[0].at <= by {
		x := p.way[0]
		p.way = p.way[1:]
		set := &p.sets[x.line%64]
		w := 0
		for i := range set {
			if set[i].used < set[w].used {
				w = i
			}
		}
		slot := int(x.line%64)*12 + w
		gone := "-"
		if set[w].used > 0 {
			gone = strconv.FormatUint(set[w].line, 10)
			if e, ok := p.rule.(Evicter); ok {
				e.Evict(set[w].line)
			}
		}
		p.clock++
		set[w].line, set[w].used = x.line, p.clock
		pf := 0
		if x.prefetched {
			pf = 1
		}
		p.event("F %d %d %d %d %d %s", x.at, x.line, x.line%64, w, pf, gone)
		if f, ok := p.rule.(Timer); ok {
			f.Fill(x.line, slot, x.at, x.prefetched)
		}
	}
}

const playTime = 160

func (p *play) access(a touch) {
	p.cycle += a.gap
	p.fill(p.cycle)
	x := Access{Line: a.line, Stream: StreamOf(a.ip, 0, 0), Cycle: p.cycle, Slot: p.find(a.line), Lines: 1}
	hit := 0
	if x.Slot >= 0 {
		hit, x.Hit = 1, true
		p.clock++
		p.sets[a.line%64][x.Slot%12].used = p.clock
	} else if w := p.underWay(a.line); w != nil {
		x.Hit, x.Pending, w.prefetched = true, true, false
	} else {
		p.way = append(p.way, playLine{a.line, p.cycle + playTime, false})
	}
	p.event("A %d %d %d %d", p.cycle, a.line, a.ip, hit)
	called := p.rule.Access(&x, nil)
	if len(called) == 0 {
		return
	}
	text := fmt.Sprintf("%d %d:", p.cycle, a.line)
	for _, line := range called {
		text += fmt.Sprintf(" %d", line)
	}
	p.lines += len(called)
	p.write(text + "\n")
	if p.ours != nil {
		fmt.Fprintln(p.ours, text)
	}
	for _, line := range called {
		if p.find(line) < 0 && p.underWay(line) == nil && len(p.way) < 16 {
			p.way = append(p.way, playLine{line, p.cycle + playTime, true})
			if f, ok := p.rule.(Timer); ok {
				f.Issue(line, a.ip, p.cycle)
			}
			p.event("I %d %d %d", p.cycle, line, a.ip)
		}
	}
}
