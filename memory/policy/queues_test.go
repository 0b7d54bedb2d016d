package policy_test

import (
	"encoding/csv"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
	"github.com/causeway-sim/causeway/workloads/synthetic/tracetest"
)

// Peer: the hits of libCacheSim, testdata/README.md.
func TestQueuesEqualLibCacheSim(t *testing.T) {
	raw, err := os.Open("testdata/hits_libcachesim_one_set.csv")
	require.NoError(t, err)
	defer raw.Close()
	rows, err := csv.NewReader(raw).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+18)
	for _, tr := range tracetest.Reference() {
		var as []policy.Access
		for _, r := range rows[1:] {
			if r[2] != tr.Name {
				continue
			}
			if as == nil {
				as = collect(tr.Plain())
			}
			ways, err := strconv.Atoi(r[1])
			require.NoError(t, err)
			require.Equal(t, r[3], strconv.Itoa(len(as)))
			got := run(newCore(t, r[0], policy.Geometry{Sets: 1, Ways: ways}, nil), as)
			require.Equal(t, r[4], strconv.FormatUint(got.Hits, 10), "%s with %d ways on %s", r[0], ways, tr.Name)
		}
	}
}

// queueTwin is one set of a policy in slices, the newest first. Its access tells
// whether line is there.
type queueTwin interface{ access(line uint64) bool }

var queueTwins = map[string]func(ways int) queueTwin{
	"sieve":    func(c int) queueTwin { return &sieveTwin{c: c, visited: map[uint64]bool{}} },
	"s3fifo":   func(c int) queueTwin { return &s3Twin{c: c, freq: map[uint64]int{}} },
	"arc":      func(c int) queueTwin { return &arcTwin{c: c} },
	"fifo_mep": func(c int) queueTwin { return newMEPTwin(c) },
}

func TestQueuesEqualTheirTwins(t *testing.T) {
	for name, twin := range queueTwins {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				sets, ways := rapid.IntRange(1, 3).Draw(t, "sets"), rapid.IntRange(1, 40).Draw(t, "ways")
				x, err := tagstore.NewIndex(sets, 1, "linear")
				require.NoError(t, err)
				p, err := policy.New(name, policy.Geometry{Sets: sets, Ways: ways}, nil)
				require.NoError(t, err)
				c := tagstore.New(x, ways, p)
				var twins []queueTwin
				for range sets {
					twins = append(twins, twin(ways))
				}
				lines := rapid.SliceOfN(rapid.Uint64Range(0, uint64(3*sets*ways)), 1, 600).Draw(t, "lines")
				for i, l := range lines {
					if l%2 == 0 {
						l /= 4 // some are hot
					}
					require.Equal(t, twins[l%uint64(sets)].access(l), c.Access(policy.Access{Line: l}).Hit, "access %d", i)
				}
			})
		})
	}
}

// Longer traces that go from one working set to the next and come back, where targets
// and ghost queues have their turns.
func TestQueuesEqualTheirTwinsInPhases(t *testing.T) {
	for name, twin := range queueTwins {
		for seed := range uint64(150) {
			r := rand.New(rand.NewPCG(seed, 9))
			ways := 2 + r.IntN(14)
			c, w := newCore(t, name, policy.Geometry{Sets: 1, Ways: ways}, nil), twin(ways)
			for range 12 {
				base, n := r.Uint64N(uint64(2*ways)), 1+r.Uint64N(uint64(2*ways))
				for range 5 * ways {
					l := base + r.Uint64N(n)
					require.Equal(t, w.access(l), c.Access(policy.Access{Line: l}).Hit, "%s, seed %d", name, seed)
				}
			}
		}
	}
}

// Sequences worked out by hand: a letter per access, in upper case where it hits.
func TestQueuesByHand(t *testing.T) {
	for _, c := range []struct {
		name string
		ways int
		want string
		why  string
	}{
		// Reference: SIEVE, figure 2: a visited line is spared where it stands, and the hand
		// stays between evictions.
		{"sieve", 3, "abcA" + "d" + "e" + "A" + "b", "d evicts b past a, e evicts c, b evicts d"},
		{"sieve", 3, "abcABC" + "d" + "BCD", "all are spared once, then a goes; b and c stay"},
		// Reference: S3-FIFO, section 4: of ten ways one is the small queue; a line that was
		// used once there leaves, and comes back into the main queue.
		{"s3fifo", 10, "abcdefghijA" + "k" + "a" + "lmnopqrst" + "A", "a leaves with one use, is in the ghost queue, then in the main one"},
		{"s3fifo", 10, "abcdefghijAA" + "k" + "A" + "b", "a moves to the main queue with two uses, b leaves"},
		// Reference: ARC, figure 4, case IV: T1 is the whole cache, so its last is forgotten.
		{"arc", 2, "ab" + "c" + "a", "B1 is empty"},
		// Case I moves a to T2; c takes the place of b, which comes back from B1.
		// It raises the target to 1, so that T2 gives up a; a comes from B2, lowers the target
		// to 0, and T1 gives up c.
		{"arc", 2, "abA" + "c" + "A" + "b" + "a" + "B" + "A" + "c", "cases I to IV"},
		// Points after 1, 2 and 3 ways: a was used on the first stretch and not on the
		// second, so it leaves at the second point, b at the first.
		{"fifo_mep", 4, "abcd", "the set fills"},
		{"fifo_mep", 4, "abcdD" + "e" + "D" + "f", "d passes the first point, a clock at the end gives up a"},
	} {
		got := ""
		core := newCore(t, c.name, policy.Geometry{Sets: 1, Ways: c.ways}, nil)
		for _, r := range strings.ToLower(c.want) {
			if core.Access(policy.Access{Line: uint64(r)}).Hit {
				got += strings.ToUpper(string(r))
			} else {
				got += string(r)
			}
		}
		require.Equal(t, c.want, got, "%s with %d ways: %s", c.name, c.ways, c.why)
	}
}

// What the eviction points of fifo_mep are for: lines that are used in one burst and
// never again do not take the place of hot ones, as they do in s3fifo's main queue.
func TestBurstsDoNotStay(t *testing.T) {
	var as []policy.Access
	r := rand.New(rand.NewPCG(1, 2))
	for i := range uint64(60_000) {
		for range 3 { // a burst
			as = append(as, policy.Access{Line: 1<<20 + i})
		}
		for range 3 {
			as = append(as, policy.Access{Line: r.Uint64N(850)})
		}
	}
	misses := func(name string) float64 {
		return float64(run(newCore(t, name, policy.Geometry{Sets: 1, Ways: 1000}, nil), as).Misses-60_000) / 180_000 // of the hot lines
	}
	mep, s3, lru := misses("fifo_mep"), misses("s3fifo"), misses("lru")
	t.Logf("hot lines missed: fifo_mep %.4f, s3fifo %.4f, lru %.4f", mep, s3, lru)
	require.Less(t, mep, s3/4)
	require.Less(t, mep, lru/4)
}

// take removes a line from a list and tells whether it was there.
func take(list *[]uint64, line uint64) bool {
	i := slices.Index(*list, line)
	if i >= 0 {
		*list = slices.Delete(*list, i, i+1)
	}
	return i >= 0
}

func push(list *[]uint64, line uint64) { *list = slices.Insert(*list, 0, line) }

func pop(list *[]uint64) uint64 {
	l := (*list)[len(*list)-1]
	*list = (*list)[:len(*list)-1]
	return l
}

type sieveTwin struct {
	c       int
	queue   []uint64
	hand    uint64
	handed  bool
	visited map[uint64]bool
}

func (w *sieveTwin) access(line uint64) bool {
	if slices.Contains(w.queue, line) {
		w.visited[line] = true
		return true
	}
	if len(w.queue) == w.c {
		i := len(w.queue) - 1
		if w.handed {
			i = slices.Index(w.queue, w.hand)
		}
		for w.visited[w.queue[i]] {
			w.visited[w.queue[i]] = false
			if i--; i < 0 {
				i = len(w.queue) - 1
			}
		}
		if w.handed = i > 0; w.handed {
			w.hand = w.queue[i-1]
		}
		w.queue = slices.Delete(w.queue, i, i+1)
	}
	push(&w.queue, line)
	w.visited[line] = false
	return false
}

type s3Twin struct {
	c                  int
	small, main, ghost []uint64
	freq               map[uint64]int
}

func (w *s3Twin) access(line uint64) bool {
	if slices.Contains(w.small, line) || slices.Contains(w.main, line) {
		w.freq[line] = min(3, w.freq[line]+1)
		return true
	}
	known := take(&w.ghost, line)
	if len(w.small)+len(w.main) == w.c {
		evicted := false
		if len(w.main) <= w.c-max(1, w.c/10) {
			for len(w.small) > 0 && !evicted {
				l := pop(&w.small)
				if w.freq[l] > 1 {
					w.freq[l] = 0
					push(&w.main, l)
					continue
				}
				evicted = true
				if push(&w.ghost, l); len(w.ghost) > w.c*9/10 {
					pop(&w.ghost)
				}
			}
		}
		for !evicted {
			l := pop(&w.main)
			if evicted = w.freq[l] == 0; !evicted {
				w.freq[l]--
				push(&w.main, l)
			}
		}
	}
	w.freq[line] = 0
	if known {
		push(&w.main, line)
	} else {
		push(&w.small, line)
	}
	return false
}

type arcTwin struct {
	c              int
	p              float64
	t1, b1, t2, b2 []uint64
}

func (w *arcTwin) replace(inB2 bool) {
	t := float64(len(w.t1))
	if len(w.t1) > 0 && (inB2 && t == w.p || t > w.p) {
		push(&w.b1, pop(&w.t1))
	} else {
		push(&w.b2, pop(&w.t2))
	}
}

func (w *arcTwin) access(line uint64) bool {
	b1, b2 := float64(len(w.b1)), float64(len(w.b2))
	switch {
	case take(&w.t1, line) || take(&w.t2, line):
		push(&w.t2, line)
		return true
	case slices.Contains(w.b1, line):
		w.p = min(float64(w.c), w.p+max(1, b2/b1))
		take(&w.b1, line)
		w.replace(false)
		push(&w.t2, line)
		return false
	case slices.Contains(w.b2, line):
		w.p = max(0, w.p-max(1, b1/b2))
		take(&w.b2, line)
		w.replace(true)
		push(&w.t2, line)
		return false
	}
	l1, all := len(w.t1)+len(w.b1), len(w.t1)+len(w.b1)+len(w.t2)+len(w.b2)
	switch {
	case l1 == w.c && len(w.t1) < w.c:
		pop(&w.b1)
		w.replace(false)
	case l1 == w.c:
		pop(&w.t1)
	case all >= w.c:
		if all == 2*w.c {
			pop(&w.b2)
		}
		w.replace(false)
	}
	push(&w.t1, line)
	return false
}

// mepTwin is one queue in which the stretches are ranges of positions.
type mepTwin struct {
	points  []int
	c       int
	stretch [][]uint64
	ghost   []uint64
	freq    map[uint64]int
}

func newMEPTwin(c int) *mepTwin {
	w := &mepTwin{c: c, freq: map[uint64]int{}}
	at := 0
	for i := 1; i <= 3 && i < c; i++ {
		next := max(at+1, i*c/30)
		w.points = append(w.points, next-at)
		at = next
	}
	w.points = append(w.points, c-at)
	w.stretch = make([][]uint64, len(w.points))
	return w
}

func (w *mepTwin) access(line uint64) bool {
	n := 0
	for _, s := range w.stretch {
		if slices.Contains(s, line) {
			w.freq[line] = min(3, w.freq[line]+1)
			return true
		}
		n += len(s)
	}
	last := len(w.points) - 1
	known := take(&w.ghost, line)
	w.freq[line] = 0
	if known {
		push(&w.stretch[last], line)
	} else {
		push(&w.stretch[0], line)
	}
	for i := range last { // the new line is never at the end of a stretch that is too long
		for len(w.stretch[i]) > w.points[i] {
			l := pop(&w.stretch[i])
			if n == w.c && w.freq[l] == 0 {
				if push(&w.ghost, l); len(w.ghost) > w.c*9/10 {
					pop(&w.ghost)
				}
				return false
			}
			if n == w.c {
				w.freq[l] = 0
			}
			push(&w.stretch[i+1], l)
		}
	}
	behind := 0 // where a line goes that is spared: the new one enters after that
	if known || last == 0 {
		behind = 1
	}
	for s := &w.stretch[last]; n == w.c; {
		l := pop(s)
		if w.freq[l] == 0 {
			break
		}
		w.freq[l]--
		*s = slices.Insert(*s, behind, l)
	}
	return false
}
