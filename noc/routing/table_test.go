package routing_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/routing/deadlock"
	"github.com/causeway-sim/causeway/noc/topology"
)

func house(t require.TestingT) topology.Topology {
	top, err := topology.New("file", topology.FileSpec{File: "../topology/testdata/house.txt"})
	require.NoError(t, err)
	return top
}

// Every packet takes the routes of the file, and the file is free of deadlock.
func TestTable(t *testing.T) {
	top := house(t)
	alg, err := routing.New("table", top, routing.TableSpec{File: "testdata/house_routes.txt"})
	require.NoError(t, err)
	proof, err := deadlock.Check(top, alg, 0)
	require.NoError(t, err)
	require.True(t, proof.Free(), proof)
	v := &calm{rng: rand.New(rand.NewPCG(1, 2))}
	require.Equal(t, []int{0, 3, 4}, walk(t, top, alg, v, 0, 3))
	require.Equal(t, []int{1, 2, 4}, walk(t, top, alg, v, 2, 3))
	require.Equal(t, []int{4, 3, 0}, walk(t, top, alg, v, 3, 1), "by the line for all others")
	require.Equal(t, []int{4, 2, 1}, walk(t, top, alg, v, 3, 2))
	require.Equal(t, []int{0}, walk(t, top, alg, v, 0, 1))
}

// ringTable routes a ring one way round. With two classes a packet changes to
// the second where it passes router 0.
func ringTable(n int, dateline bool) string {
	var b strings.Builder
	if dateline {
		b.WriteString("classes 2\n")
	}
	for r := range n {
		for to := range n {
			class := 0
			if dateline && to > r {
				class = 1 // does not pass router 0 any more
			}
			if r != to {
				fmt.Fprintf(&b, "route %d %d 1 %d\n", r, to, class)
			}
		}
	}
	return b.String()
}

// The checker finds the cycle of a table, and that a dateline breaks it.
func TestTableIsChecked(t *testing.T) {
	top, err := topology.New("ring", topology.RingSpec{Size: 5})
	require.NoError(t, err)
	for _, dateline := range []bool{false, true} {
		alg, err := routing.ReadTable(strings.NewReader(ringTable(5, dateline)), "ring", top)
		require.NoError(t, err)
		proof, err := deadlock.Check(top, alg, 0)
		require.NoError(t, err)
		require.Equal(t, dateline, proof.Free(), proof)
		require.Equal(t, 4, proof.MaxHops)
		if !dateline {
			require.Len(t, proof.Cycle, 6)
		}
	}
}

func TestTableErrors(t *testing.T) {
	top := house(t)
	good, err := os.ReadFile("testdata/house_routes.txt")
	require.NoError(t, err)
	for add, want := range map[string]string{
		"route 0 1":                    `x:18: "route 0 1" (want: classes N, or route ROUTER TO PORT [CLASS])`,
		"rout 0 1 2":                   `x:18: "rout 0 1 2" (want: classes N, or route ROUTER TO PORT [CLASS])`,
		"route 5 1 2":                  `x:18: router is "5" (want 0 to 4)`,
		"route 1 x 2":                  `x:18: destination is "x" (want 0 to 4)`,
		"route 1 1 2":                  `x:18: router 1 needs no route to itself`,
		"route 1 3 9":                  `x:18: port is "9" (want 0 to 3)`,
		"route 1 3 0":                  `x:18: port 0 of router 1 leads to no other router: terminal`,
		"route 0 1 2":                  `x:18: the same route stands in line 6`,
		"route 1 4 2 1":                `x:18: class is 1 (want 0 to 0: classes 1)`,
		"route 1 4 2 -1":               `x:18: class is "-1" (want 0 to 31)`,
		"classes 0":                    `x:18: classes is "0" (want 1 to 32)`,
		"classes 2\nclasses 2":         `x:19: classes stand in line 18 already`,
		"route 2 4 0":                  `x: packets to router 4 may go in circles: 1 -> 2 -> 1`,
		"route 3 4 0\nroute 2 4 1":     `x: packets to router 4 may go in circles: 3 -> 2 -> 3`,
		"route 0 4 2\nroute 1 4 2 0.5": `x:19: class is "0.5" (want 0 to 31)`,
	} {
		_, err := routing.ReadTable(strings.NewReader(string(good)+add+"\n"), "x", top)
		require.EqualError(t, err, want, add)
	}
	_, err = routing.ReadTable(strings.NewReader("route 0 1 2\nroute 1 0 1\nroute 0 4 3\n"), "x", top)
	require.EqualError(t, err, "x: router 4 has no route to router 0, for packets from router 4")
	_, err = routing.New("table", top, nil)
	require.ErrorContains(t, err, "file")
	_, err = routing.New("table", top, routing.TableSpec{File: "none.txt"})
	require.ErrorContains(t, err, "none.txt")
}

// No file makes the reader panic; one that is taken brings every packet home.
func FuzzTable(f *testing.F) {
	good, err := os.ReadFile("testdata/house_routes.txt")
	require.NoError(f, err)
	f.Add(string(good))
	f.Add(string(good) + "classes 2\nroute 3 4 0 1\n")
	f.Add("route 0 * 2\n")
	f.Fuzz(func(t *testing.T, text string) {
		top := house(t)
		a, err := routing.ReadTable(strings.NewReader(text), "x", top)
		if err != nil {
			return
		}
		_, err = deadlock.Check(top, a, 100000)
		require.NoError(t, err, "a route leads nowhere, or in circles")
	})
}

// failing draws a topology and channels of it that fail.
func failing(t *rapid.T) (topology.Topology, [][2]int) {
	s := rapid.SampledFrom(shapes).Draw(t, "shape")
	top, err := topology.New(s.name, s.spec)
	require.NoError(t, err)
	var all, out [][2]int
	for r := range top.Routers() {
		for p := range top.Ports(r) {
			if to, q, ok := top.Peer(r, p); ok && (r < to || r == to && p < q) {
				all = append(all, [2]int{r, p})
			}
		}
	}
	for range rapid.IntRange(0, min(6, len(all))).Draw(t, "failures") {
		i := rapid.IntRange(0, len(all)-1).Draw(t, "failure")
		out = append(out, all[i])
		all = append(all[:i], all[i+1:]...)
	}
	return top, out
}

// Whatever fails, up_down and shortest find a way free of deadlock wherever there
// is one, shortest as short as can be, and else say which router is cut off.
func TestWaysAroundFailures(t *testing.T) {
	cut := 0
	rapid.Check(t, func(t *rapid.T) {
		whole, failed := failing(t)
		top, err := topology.Without(whole, failed)
		require.NoError(t, err)
		require.Equal(t, whole, topology.Intact(top))
		for _, name := range []string{"up_down", "shortest"} {
			alg, err := routing.New(name, top, nil)
			if err != nil {
				var none *routing.UnreachableError
				require.ErrorAs(t, err, &none)
				require.Less(t, reached(top, none.Router), top.Routers())
				cut++
				continue
			}
			proof, err := deadlock.Check(top, alg, 0)
			require.NoError(t, err)
			require.True(t, proof.Free(), proof)
			v := &calm{rng: rand.New(rand.NewPCG(1, 2))}
			for range 20 {
				src, dst := rapid.IntRange(0, top.Terminals()-1).Draw(t, "src"), rapid.IntRange(0, top.Terminals()-1).Draw(t, "dst")
				path := walk(t, top, alg, v, src, dst)
				for i, r := range path[1:] {
					require.NotEmpty(t, topology.Between(top, path[i], r))
				}
				want := distances(top, path[0])[path[len(path)-1]]
				require.GreaterOrEqual(t, len(path)-1, want)
				if name == "shortest" {
					require.Equal(t, want, len(path)-1)
				}
			}
		}
	})
	if !testing.Short() { // few draws then
		require.Positive(t, cut, "no draw has cut a router off")
	}
}

// reached is the number of routers that a way leads to from one.
func reached(top topology.Topology, from int) (n int) {
	for _, d := range distances(top, from) {
		if d >= 0 {
			n++
		}
	}
	return n
}
