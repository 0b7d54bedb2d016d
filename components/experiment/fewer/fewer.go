// Package fewer estimates runs of systems that are too large to be built for an estimate: it loads the
// configuration with fewer nodes, twice, and extends what these take to all nodes along a line.
//
// assumption: each further node of an entry with count takes as much as those between the two smaller
// systems. What is found for all nodes alone, as an error of node 50,000, is not.
package fewer

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"time"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/usage"
	"github.com/causeway-sim/causeway/configs"
)

// Many is the number of nodes from which on a system is estimated by smaller ones.
const Many = 20_000

// few and more are the nodes of the smaller systems.
const few, more = 250, 2000

// A part is what a smaller system takes.
type part struct {
	nodes   float64
	e       experiment.Estimate
	loading float64 // seconds of processor time
	live    float64 // bytes in use once it is loaded
}

// Estimate predicts a run of a configuration of at least Many nodes. ok is false where it has fewer, or
// where fewer of them make no system; then the run itself tells.
func Estimate(ctx context.Context, file string, o experiment.Options, moment time.Duration) (e experiment.Estimate, loading float64, ok bool) {
	root, err := experiment.NewLoader(o).Root(file)
	if err != nil {
		return e, 0, false
	}
	counts, nodes := counted(root)
	if nodes < Many {
		return e, 0, false
	}
	var parts [2]part
	for i, n := range []int{few, more} {
		if parts[i], err = try(ctx, file, o, reduced(counts, nodes, n), moment); err != nil {
			return e, 0, false
		}
	}
	e, loading = extend(&parts[0], &parts[1], float64(nodes))
	return e, loading, true
}

// counted are the entries of nodes with a count above one, by name, and how many nodes all are.
func counted(root configs.Value) (counts map[string]int, nodes int) {
	counts = map[string]int{}
	for _, v := range root.Get("nodes").Items() {
		n, err := strconv.Atoi(v.Get("count").Text())
		if err == nil && n > 1 {
			counts[v.Get("name").Text()] = n
		}
		nodes += max(1, n)
	}
	return counts, nodes
}

// reduced are the settings that leave about n of the nodes.
func reduced(counts map[string]int, nodes, n int) (set []string) {
	for name, count := range counts {
		set = append(set, fmt.Sprintf("%s.count=%d", name, max(1, count*n/nodes)))
	}
	return set
}

// try loads and estimates a smaller system.
func try(ctx context.Context, file string, o experiment.Options, set []string, moment time.Duration) (p part, err error) {
	o.Set = append(o.Set[:len(o.Set):len(o.Set)], set...)
	before, began := live(), usage.CPUSeconds()
	x, err := experiment.LoadContext(ctx, file, o)
	if err != nil {
		return p, err
	}
	p.loading = usage.CPUSeconds() - began
	p.live = live() - before
	_, n := counted(x.Root())
	p.nodes = float64(n)
	p.e, err = x.Estimate(ctx, moment)
	if err == nil && !p.e.Known() {
		err = fmt.Errorf("nothing ended")
	}
	return p, err
}

// live is the bytes in use. What pools hold, such as the mappers of the run before, is gone with the second
// collection.
func live() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// extend goes on along the line through two smaller systems. Nothing gets less with more nodes.
func extend(a, b *part, nodes float64) (e experiment.Estimate, loading float64) {
	along := func(x, y float64) float64 { return y + max(0, y-x)/(b.nodes-a.nodes)*(nodes-b.nodes) }
	count := func(x, y int64) int64 { return int64(along(float64(x), float64(y))) }
	e = b.e
	e.Whole, e.Fewer = false, int(b.nodes)
	e.Ran = a.e.Ran + b.e.Ran + a.loading + b.loading
	e.Total, e.Rows, e.Metrics = count(a.e.Total, b.e.Total), count(a.e.Rows, b.e.Rows), count(a.e.Metrics, b.e.Metrics)
	e.Seconds = along(a.e.Seconds-a.e.Writing(), b.e.Seconds-b.e.Writing()) + e.Writing()
	kept := along(a.live, b.live)
	e.Live, e.Bytes = uint64(kept), experiment.Resident(kept+along(a.e.RowBytes(), b.e.RowBytes()))
	return e, along(a.loading, b.loading)
}
