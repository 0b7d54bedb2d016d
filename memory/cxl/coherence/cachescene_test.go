package coherence

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// A play is a scene of a home agent and devices that cache its memory: messages take
// 10 ns or what their opcode says, the memory 30 ns.
type play struct {
	*peers
	now   int
	queue []timed
	delay map[Op]int
	out   strings.Builder
	over  map[int]bool
	last  map[lane]int // arrival of the last GO
}

func (s *play) later(ns int, do func()) {
	i := slices.IndexFunc(s.queue, func(x timed) bool { return x.at > s.now+ns })
	if i < 0 {
		i = len(s.queue)
	}
	s.queue = slices.Insert(s.queue, i, timed{s.now + ns, do})
}

func (s *play) name(agent int) string {
	if agent < len(s.agents) {
		return fmt.Sprintf("D%d", agent)
	}
	return "core"
}

func (s *play) at(ns, agent int, kind Access, line uint64) {
	s.later(ns-s.now, func() {
		s.print(s.name(agent)+" "+kind.String(), line, "      ", nil)
		s.access(agent, start{line, kind})
		s.took()
	})
}

func (s *play) print(text string, line uint64, tag string, before []string) {
	now := s.list(line)
	for i := range before {
		if before[i] != now[i] {
			_, v, _ := strings.Cut(now[i], " ")
			now[i] = before[i] + ">" + v
		}
	}
	fmt.Fprintf(&s.out, "%4d ns  %-38s %#-5x %s  | %s\n", s.now, text, line, tag, strings.Join(now, "  "))
}

// list is the states of a line: of the cores' cache and of devices, those on their way
// out in brackets.
func (s *play) list(line uint64) []string {
	out := []string{"core " + s.home.Cache.State(line).String()}
	for i, a := range s.agents {
		state := a.Cache.State(line).String()
		if k, busy := a.index[line]; busy && a.pend[k].held != I {
			state = "[" + a.pend[k].held.String() + "]"
		}
		out = append(out, fmt.Sprintf("D%d %s", i, state))
	}
	return out
}

func (s *play) took() {
	for i, o := range s.open {
		if o.done && !s.over[i] {
			s.over[i] = true
			s.print(s.name(o.agent)+" "+o.kind.String()+" is over", o.line, "      ", nil)
		}
	}
	for d := range s.under {
		for _, m := range s.under[d] {
			ns, ok := s.delay[m.Op]
			if !ok {
				ns = 10
			}
			k := lane{host: m.Host, line: m.Addr}
			switch m.Channel() {
			case flit.H2DRsp:
				s.last[k] = s.now + ns
			case flit.H2DReq: // after GO
				ns = max(ns, s.last[k]-s.now)
			}
			s.later(ns, func() {
				before := s.list(m.Addr)
				from, to := "home", s.name(int(m.Host))
				if m.Channel().Direction() == flit.Up {
					from, to = to, from
				}
				s.deliver(m)
				s.check()
				s.print(fmt.Sprintf("%-4s > %-4s  %-8s %s", from, to, m.Channel(), m), m.Addr, fmt.Sprintf("tag %d ", m.Tag), before)
				s.took()
			})
		}
		s.under[d] = nil
	}
	for _, f := range s.fetches {
		s.later(30, func() {
			s.home.Fetched(f.id, f.value)
			s.took()
		})
	}
	s.fetches = nil
}

// The flows of CXL.cache, message by message: CXL 3.1, section 3.2.
func TestCacheTranscripts(t *testing.T) {
	for _, c := range []struct {
		name, what string
		w          *peers
		delay      map[Op]int
		scene      func(s *play)
		bogus      uint64
	}{
		{"cache-read-dirty-peer", "A device reads what another one has modified.", newPeers(2, 2, 2), nil,
			func(s *play) { s.at(0, 0, Store, 0); s.at(100, 1, Load, 0) }, 0},
		{"cache-own-and-evict", "A device owns a line, writes it, and gives it back for another one.", newPeers(1, 1, 2), nil,
			func(s *play) { s.at(0, 0, Update, 0); s.at(100, 0, Load, 64); s.at(200, 0, Load, 128) }, 0},
		{"cache-core-takes", "A core loads, then stores, what a device has modified.", newPeers(1, 2, 2), nil,
			func(s *play) { s.at(0, 0, Store, 0); s.at(100, 1, Load, 0); s.at(200, 1, Store, 0) }, 0},
		{"cache-snoop-meets-evict", "SnpInv meets a DirtyEvict that the host has not seen: the snoop takes the data, and\n# those that are pulled later are bogus.", newPeers(2, 1, 2), map[Op]int{DirtyEvict: 60},
			func(s *play) { s.at(0, 0, Store, 0); s.at(100, 0, Load, 64); s.at(105, 1, Store, 0) }, 1},
		{"cache-snoop-waits-for-data", "GO is there, the data are not: a snoop that follows waits for them.", newPeers(2, 2, 2), map[Op]int{H2DData: 60},
			func(s *play) { s.at(0, 0, Update, 0); s.at(40, 1, Store, 0) }, 0},
		{"cache-snoop-meets-upgrade", "A shared copy is taken while its device asks to own it: the data come with GO.", newPeers(2, 2, 2), map[Op]int{RdOwn: 30},
			func(s *play) {
				s.at(0, 0, Load, 0)
				s.at(100, 1, Load, 0)
				s.at(200, 0, Update, 0)
				s.at(205, 1, Store, 0)
			}, 0},
		{"cache-write-through", "A device without a cache reads by RdCurr and writes by WrInv.", newPeers(1, 0, 2), nil,
			func(s *play) { s.at(0, 1, Store, 0); s.at(50, 0, Load, 0); s.at(150, 0, Store, 0) }, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &play{peers: c.w, delay: c.delay, over: map[int]bool{}, last: map[lane]int{}}
			s.left = nil
			c.scene(s)
			for len(s.queue) > 0 {
				x := s.queue[0]
				s.queue = s.queue[1:]
				s.now = x.at
				x.do()
				require.NoError(t, s.fault, s.out.String())
			}
			s.final()
			require.NoError(t, s.fault)
			text := "# " + c.what + "\n" + s.out.String()
			require.Equal(t, c.bogus, s.home.Count.Bogus, text)
			file := filepath.Join("testdata", c.name+".txt")
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(want), text)
		})
	}
}
