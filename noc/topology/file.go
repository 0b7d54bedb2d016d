package topology

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// FileSpec describes a network listed in a file.
type FileSpec struct {
	File string `yaml:"file" doc:"File of lines \"terminals ROUTER COUNT\" and \"channel ROUTER ROUTER [local|global]\""`
}

func init() {
	add("file", "Any network: a file lists the terminals of routers and the channels between them.",
		"format of this package: see Read", FileSpec{},
		func(s FileSpec) (Topology, error) {
			if s.File == "" {
				return nil, fmt.Errorf("topology file: file is not set")
			}
			f, err := os.Open(s.File)
			if err != nil {
				return nil, fmt.Errorf("topology file: %w", err)
			}
			defer f.Close()
			return Read(f, s.File)
		})
}

// A List is a network in tables.
type List struct {
	ports  [][]end
	homes  []end
	intact Topology // of Without
}

// Intact returns the topology of t before channels failed, or t.
func Intact(t Topology) Topology {
	if l, ok := t.(*List); ok && l.intact != nil {
		return l.intact
	}
	return t
}

// Between lists the ports by which router a faces router b.
func Between(t Topology, a, b int) (ports []int) {
	for p := range t.Ports(a) {
		if to, _, ok := t.Peer(a, p); ok && to == b {
			ports = append(ports, p)
		}
	}
	return ports
}

// An end is a port of a router, and the class of its channel.
type end struct {
	router, port int
	class        Class
}

// limits of a file.
const (
	maxListed = 1 << 16 // routers, and terminals of one
	maxBroken = 1 << 12 // channels that may fail
)

// classOf is the class of a channel by the word that may name it.
func classOf(words []string) (c Class, ok bool) {
	switch {
	case len(words) == 0 || words[0] == "local":
		return Local, true
	case words[0] == "global":
		return Global, true
	}
	return Local, false
}

// Read reads a network. It skips blank lines and comments after #. Routers are numbered from 0
// and exist once named. name is the file in errors.
//
//	terminals 0 2        router 0 has two terminals
//	channel 0 1          routers 0 and 1 face each other, in the class local
//	channel 1 2 global
func Read(r io.Reader, name string) (*List, error) {
	var pairs []pair
	terminals := map[int]int{}
	routers := 0
	in := bufio.NewScanner(r)
	for line := 1; in.Scan(); line++ {
		text, _, _ := strings.Cut(in.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		bad := func(format string, args ...any) error {
			return fmt.Errorf("%s:%d: "+format, append([]any{name, line}, args...)...)
		}
		var n [2]int
		for i := range n {
			if len(words) < 3 {
				return nil, bad("%d words (want: terminals ROUTER COUNT, or channel ROUTER ROUTER [local|global])", len(words))
			}
			var err error
			if n[i], err = strconv.Atoi(words[i+1]); err != nil || n[i] < 0 || n[i] >= maxListed {
				return nil, bad("%q is no number (want 0 to %d)", words[i+1], maxListed-1)
			}
		}
		routers = max(routers, n[0]+1)
		switch {
		case words[0] == "terminals" && len(words) == 3:
			if terminals[n[0]] > 0 {
				return nil, bad("router %d has terminals already", n[0])
			}
			terminals[n[0]] = n[1]
		case words[0] == "channel" && len(words) <= 4:
			class, ok := classOf(words[3:])
			if !ok {
				return nil, bad("class %q (want one of: local global)", words[3])
			}
			if n[0] == n[1] {
				return nil, bad("router %d cannot face itself", n[0])
			}
			routers = max(routers, n[1]+1)
			pairs = append(pairs, pair{n[0], n[1], class})
		default:
			return nil, bad("%q (want: terminals ROUTER COUNT, or channel ROUTER ROUTER [local|global])", strings.Join(words, " "))
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return newList(name, routers, terminals, pairs)
}

// A pair is two routers that face each other.
type pair struct {
	a, b  int
	class Class
}

// newList makes the ports of routers: first those of their terminals, then local channels, then
// global ones.
func newList(name string, routers int, terminals map[int]int, pairs []pair) (*List, error) {
	l := &List{ports: make([][]end, routers)}
	for r := range routers {
		for i := range terminals[r] {
			l.homes = append(l.homes, end{router: r, port: i})
			l.ports[r] = append(l.ports[r], end{class: Terminal})
		}
	}
	if len(l.homes) == 0 || len(l.homes) > MaxPorts {
		return nil, fmt.Errorf("%s: %d terminals (want 1 to %d)", name, len(l.homes), MaxPorts)
	}
	for _, c := range []Class{Local, Global} {
		for _, p := range pairs {
			if p.class == c {
				a, b := len(l.ports[p.a]), len(l.ports[p.b])
				l.ports[p.a] = append(l.ports[p.a], end{p.b, b, c})
				l.ports[p.b] = append(l.ports[p.b], end{p.a, a, c})
			}
		}
	}
	return l, nil
}

// Without returns a topology without some channels, each named by one of its two ports, which are
// then unused. The error names a port that is no channel between routers.
func Without(t Topology, broken [][2]int) (*List, error) {
	l := &List{ports: make([][]end, t.Routers()), intact: Intact(t)}
	for r := range l.ports {
		for p := range t.Ports(r) {
			to, port, _ := t.Peer(r, p)
			l.ports[r] = append(l.ports[r], end{to, port, t.Class(r, p)})
		}
	}
	for i := range t.Terminals() {
		r, p := t.Home(i)
		l.homes = append(l.homes, end{router: r, port: p})
	}
	if len(broken) > maxBroken {
		return nil, fmt.Errorf("topology: %d failed channels (want at most %d)", len(broken), maxBroken)
	}
	for _, b := range broken {
		r, p := b[0], b[1]
		if r < 0 || r >= len(l.ports) || p < 0 || p >= len(l.ports[r]) || l.ports[r][p].class != Local && l.ports[r][p].class != Global {
			return nil, fmt.Errorf("topology: router %d port %d is no channel to another router, or failed already", r, p)
		}
		e := l.ports[r][p]
		l.ports[r][p] = end{}
		l.ports[e.router][e.port] = end{}
	}
	return l, nil
}

// Routers implements Topology.
func (l *List) Routers() int { return len(l.ports) }

// Terminals implements Topology.
func (l *List) Terminals() int { return len(l.homes) }

// Ports implements Topology.
func (l *List) Ports(router int) int { return len(l.ports[router]) }

// Home implements Topology.
func (l *List) Home(t int) (router, port int) { return l.homes[t].router, l.homes[t].port }

// Class implements Topology.
func (l *List) Class(router, port int) Class { return l.ports[router][port].class }

// Peer implements Topology.
func (l *List) Peer(router, port int) (r, p int, ok bool) {
	e := l.ports[router][port]
	if e.class != Local && e.class != Global {
		return 0, 0, false
	}
	return e.router, e.port, true
}
