package coherence

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

var update = flag.Bool("update", false, "write the transcripts of testdata again")

// A scene is hosts and a device with times: every message takes as long as its
// opcode says, or 10 ns; the memory takes 30 ns.
type scene struct {
	*world
	now    int
	queue  []timed
	delay  map[Op]int
	out    strings.Builder
	second map[Op]int // delay of all but the first of an opcode
	sent   map[Op]int
	last   map[lane]int // arrival of the last message
	over   map[int]bool
}

type lane struct {
	host    uint8
	channel flit.Class
	line    uint64
}

type timed struct {
	at int
	do func()
}

func (s *scene) later(ns int, do func()) {
	i := slices.IndexFunc(s.queue, func(x timed) bool { return x.at > s.now+ns })
	if i < 0 {
		i = len(s.queue)
	}
	s.queue = slices.Insert(s.queue, i, timed{s.now + ns, do})
}

// at begins an access.
func (s *scene) at(ns, agent int, kind Access, line uint64) {
	s.later(ns-s.now, func() {
		fmt.Fprintf(&s.out, "%4d ns  %-42s %#-5x        %s\n", s.now, s.name(agent)+" "+kind.String(), line, s.states(line, nil))
		s.access(agent, start{line, kind})
		s.took()
	})
}

func (s *scene) name(agent int) string {
	if agent < len(s.hosts) {
		return fmt.Sprintf("H%d", agent)
	}
	return "dev"
}

// took gives the messages that the machines sent their way.
func (s *scene) took() {
	for i, o := range s.open {
		if o.done && !s.over[i] {
			s.over[i] = true
			fmt.Fprintf(&s.out, "%4d ns  %-42s %#-5x        %s\n", s.now, s.name(o.agent)+" "+o.kind.String()+" is over", o.line, s.states(o.line, nil))
		}
	}
	for h := range s.under {
		for c := range s.under[h] {
			for _, m := range s.under[h][c] {
				ns, ok := s.delay[m.Op]
				if !ok {
					ns = 10
				}
				if n, ok := s.second[m.Op]; ok && s.sent[m.Op] > 0 {
					ns = n
				}
				s.sent[m.Op]++
				if c := m.Channel(); c == flit.S2MNDR || c == flit.M2SReq { // those that keep order
					k := lane{m.Host, c, m.Addr}
					ns = max(ns, s.last[k]-s.now)
					s.last[k] = s.now + ns
				}
				s.later(ns, func() { s.deliver(m) })
			}
			s.under[h][c] = nil
		}
	}
	for _, f := range s.fetches {
		s.later(30, func() {
			s.device.Fetched(f.id, f.value)
			s.took()
		})
	}
	s.fetches = nil
}

func (s *scene) deliver(m Message) {
	before := s.list(m.Addr)
	from, to := s.name(int(m.Host)), "dev"
	if m.Channel().Direction() == flit.Up {
		from, to = to, from
		s.hosts[m.Host].Receive(m)
	} else {
		s.device.Receive(m)
	}
	s.check()
	text := fmt.Sprintf("%-3s > %-3s  %-9s %s", from, to, m.Channel(), m)
	fmt.Fprintf(&s.out, "%4d ns  %-42s %#-5x tag %d  %s\n", s.now, text, m.Addr, m.Tag, s.states(m.Addr, before))
	s.took()
}

// list is the states of a line: of hosts, of the device, and in the filter.
func (s *scene) list(line uint64) (out []string) {
	for i, h := range s.hosts {
		out = append(out, fmt.Sprintf("H%d %s", i, h.Cache.State(line)))
	}
	out = append(out, "dev "+s.device.Cache.State(line).String())
	e := s.device.Filter.get(line)
	known := "-"
	if e.sharers != 0 {
		known = "S"
		if e.alone {
			known = "E"
		}
		for i := range s.hosts {
			if e.sharers>>i&1 != 0 {
				known += fmt.Sprintf(":%d", i)
			}
		}
	}
	return append(out, "filter "+known)
}

// states are those of a line, changed ones with what they were.
func (s *scene) states(line uint64, before []string) string {
	now := s.list(line)
	for i := range before {
		if before[i] != now[i] {
			_, v, _ := strings.Cut(now[i], " ")
			now[i] = before[i] + ">" + v
		}
	}
	return "| " + strings.Join(now, "  ")
}

func (s *scene) run(t *testing.T) string {
	for len(s.queue) > 0 {
		x := s.queue[0]
		s.queue = s.queue[1:]
		s.now = x.at
		x.do()
		require.NoError(t, s.fault)
	}
	s.final()
	require.NoError(t, s.fault)
	return s.out.String()
}

// The flows of the specification, message by message: CXL 3.1, sections 3.3.3 and
// 3.5.
func TestTranscripts(t *testing.T) {
	db := func(hosts, ways, device int) *world { return newWorld(HDMDB, hosts, 2, NewFilter(1, ways), device) }
	bias := func() *world { return newWorld(HDMD, 1, 2, NewFilter(0, 0), 2) }
	for _, c := range []struct {
		name, what    string
		w             *world
		delay, second map[Op]int
		play          func(s *scene)
		early, late   uint64
	}{
		{"bisnp-clean", "A host's clean copy goes for the store of another host.", db(2, 4, 0), nil, nil,
			func(s *scene) { s.at(0, 0, Load, 0); s.at(100, 1, Store, 0) }, 0, 0},
		{"bisnp-dirty", "A modified copy is written before the answer to the snoop.", db(2, 4, 0), nil, nil,
			func(s *scene) { s.at(0, 0, Store, 0); s.at(100, 1, Load, 0) }, 0, 0},
		{"filter-eviction", "A full filter takes the line that was used least recently from its host.", db(1, 2, 0), nil, nil,
			func(s *scene) { s.at(0, 0, Store, 0); s.at(100, 0, Load, 64); s.at(200, 0, Load, 128) }, 0, 0},
		{"early-conflict", "A snoop meets an upgrade that the device has not seen: the host gives its shared\n# copy up at once, and gets the line, with data, behind the other host.",
			db(2, 4, 0), nil, map[Op]int{MemRd: 60},
			func(s *scene) {
				s.at(0, 0, Load, 0)
				s.at(100, 1, Load, 0)
				s.at(300, 1, Store, 0)
				s.at(305, 0, Update, 0)
			}, 1, 0},
		{"late-conflict", "A snoop overtakes the Cmp of a request that the device has served: the host first\n# uses what it was granted, then gives it up.",
			db(2, 4, 0), map[Op]int{CmpE: 60, MemData: 90}, nil,
			func(s *scene) { s.at(0, 0, Update, 0); s.at(15, 1, Store, 0) }, 0, 1},
		{"cmp-before-data", "The Cmp is here, the data are not: no question has to be asked, the snoop waits\n# for the data.",
			db(2, 4, 0), map[Op]int{MemData: 80}, nil,
			func(s *scene) { s.at(0, 0, Update, 0); s.at(15, 1, Store, 0) }, 0, 0},
		{"snoop-meets-clean-evict", "MemClnEvct and BISnp cross: an early conflict; both end with nothing held.",
			newWorld(HDMDB, 2, 1, NewFilter(1, 4), 0), map[Op]int{MemClnEvct: 60}, nil,
			func(s *scene) { s.at(0, 0, Load, 0); s.at(100, 0, Load, 64); s.at(155, 1, Store, 0) }, 1, 0},
		{"snoop-meets-writeback", "MemWr and BISnp cross: nobody asks, the answer waits for the Cmp of the write.",
			newWorld(HDMDB, 2, 1, NewFilter(1, 4), 0), map[Op]int{MemWr: 60}, nil,
			func(s *scene) { s.at(0, 0, Store, 0); s.at(100, 0, Load, 64); s.at(155, 1, Load, 0) }, 0, 0},
		{"device-read-hdm-db", "The accelerator reads a line that the host has modified.", db(1, 4, 2), nil, nil,
			func(s *scene) { s.at(0, 0, Store, 0); s.at(100, 1, Load, 0) }, 0, 0},
		{"device-bias", "In device bias the accelerator needs nobody.", bias(), nil, nil,
			func(s *scene) { s.at(0, 1, Load, 0); s.at(50, 1, Store, 0); s.at(60, 1, Load, 0) }, 0, 0},
		{"device-read-hdm-d", "Host bias: the accelerator's read goes to the host, which answers by MemRdFwd.", bias(), nil, nil,
			func(s *scene) { s.at(0, 0, Store, 0); s.at(100, 1, Load, 0) }, 0, 0},
		{"bias-flip", "RdOwnNoData turns a line to device bias; the host's next read turns it back.", bias(), nil, nil,
			func(s *scene) { s.at(0, 0, Load, 0); s.at(100, 1, Store, 0); s.at(200, 0, Load, 0) }, 0, 0},
		{"bias-flip-crossing", "RdOwn crosses the host's own request: the device serves that one first.", bias(),
			map[Op]int{MemRd: 40}, nil,
			func(s *scene) {
				s.at(0, 1, Load, 0)
				s.at(50, 0, Load, 0)
				s.at(200, 0, Update, 0)
				s.at(205, 1, Update, 0)
			}, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &scene{world: c.w, over: map[int]bool{}, delay: c.delay, second: c.second, sent: map[Op]int{}, last: map[lane]int{}}
			c.play(s)
			text := "# " + c.what + "\n" + s.run(t)
			var early, late uint64
			for _, h := range s.hosts {
				early, late = early+h.Count.Early, late+h.Count.Late
			}
			require.Equal(t, []uint64{c.early, c.late}, []uint64{early, late}, "early and late conflicts\n%s", text)
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
