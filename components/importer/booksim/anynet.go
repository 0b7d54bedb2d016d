package booksim

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/importer"
)

// anynet converts the network file: lines "router 0 node 0 node 1 router 1 15", where a number
// after a router is the latency of the channel. Our format has one latency for all.
func (t *network) anynet() error {
	v := t.Get("network_file", "")
	if v.Text == "" {
		v.Fail("topology anynet needs it")
		return nil
	}
	path := importer.Named(t.of, v.Text)
	text, err := os.ReadFile(path)
	if err != nil {
		v.Fail("%v", err)
		return nil
	}
	terminals, channels, order, err := listed(path, string(text))
	if err != nil {
		return err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "# BookSim's %s, converted by causeway import\n", v.Text)
	links := map[int][]int{}
	for _, r := range order {
		fmt.Fprintf(&out, "terminals %d %d\n", r, terminals[r])
	}
	slow := 1
	for _, c := range channels {
		fmt.Fprintf(&out, "channel %d %d\n", c.a, c.b)
		links[c.a], links[c.b] = append(links[c.a], c.b), append(links[c.b], c.a)
		slow = max(slow, c.latency)
	}
	t.Take("network_file")
	if slow > 1 {
		t.Leave(v, "channels of up to %d cycles; here all have one", slow)
	}
	t.least = diameter(links)
	t.net.From("topology.name", "file", t.Get("topology", "torus"))
	t.net.From("topology.file", t.draft.File(filepath.Base(v.Text)+".net.txt", out.Bytes()), v)
	for _, key := range []string{"k", "n"} {
		t.LeaveKey(key, "the tool does not read it with topology anynet")
	}
	return nil
}

type channel struct{ a, b, latency int }

// listed reads a network file. A channel that both of its ends list is one. Terminals have to be
// numbered in the order of their routers, as they are here.
func listed(path, text string) (terminals map[int]int, channels []channel, order []int, err error) {
	terminals = map[int]int{}
	have, next, n := map[[2]int]bool{}, 0, 0
	for line := range strings.Lines(text) {
		n++
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		fail := func(format string, args ...any) error {
			return fmt.Errorf("%s:%d: %s", path, n, fmt.Sprintf(format, args...))
		}
		router, kind := -1, ""
		for i := 0; i < len(words); i++ {
			if words[i] == "router" || words[i] == "node" {
				kind = words[i]
				continue
			}
			x, e := strconv.Atoi(words[i])
			if e != nil || kind == "" {
				return nil, nil, nil, fail("%q: want router N or node N", words[i])
			}
			latency := 1
			if i+1 < len(words) {
				if l, e := strconv.Atoi(words[i+1]); e == nil {
					latency = l
					i++
				}
			}
			switch {
			case router < 0 && kind == "router":
				router = x
				if x != len(order) {
					return nil, nil, nil, fail("router %d comes after %d others (want routers in the order of their numbers)", x, len(order))
				}
				order, terminals[x] = append(order, x), 0
			case kind == "node":
				if x != next {
					return nil, nil, nil, fail("node %d comes after %d others (want nodes in the order of their numbers)", x, next)
				}
				next++
				terminals[router]++
			case !have[[2]int{min(router, x), max(router, x)}]:
				have[[2]int{min(router, x), max(router, x)}] = true
				channels = append(channels, channel{router, x, latency})
			}
			kind = ""
		}
	}
	return terminals, channels, order, nil
}

// diameter is the most channels of a shortest path.
func diameter(links map[int][]int) (most int) {
	for from := range links {
		far := map[int]int{from: 0}
		for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
			for _, to := range links[queue[0]] {
				if _, seen := far[to]; !seen {
					far[to] = far[queue[0]] + 1
					most = max(most, far[to])
					queue = append(queue, to)
				}
			}
		}
	}
	return most
}
