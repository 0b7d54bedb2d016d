package scenario_test

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/scenario"
	"github.com/causeway-sim/causeway/memory/cxl/coherence"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// scene is hosts and a device whose memory is coherent. A message takes 10 ns or as long as the system says
// for its opcode, and does not overtake another of its channel, host and line; the memory takes 30 ns.
type scene struct {
	hosts  []*coherence.Host
	device *coherence.Device
	memory map[uint64]uint64
	delay  map[string]int
	now    int
	queue  []event // by time, then by order
	last   map[lane]int
	open   []access
	value  uint64
	out    strings.Builder
}

type event struct {
	at int
	do func()
}

type lane struct {
	host    uint8
	channel flit.Class
	line    uint64
}

type access struct {
	agent, what string
	line        uint64
}

func (s *scene) later(at int, do func()) {
	i := len(s.queue)
	for i > 0 && s.queue[i-1].at > at {
		i--
	}
	s.queue = append(s.queue[:i], append([]event{{at, do}}, s.queue[i:]...)...)
}

// say notes what happens, and how the line stands then.
func (s *scene) say(line uint64, format string, args ...any) {
	states := ""
	for i, h := range s.hosts {
		states += fmt.Sprintf("  H%d %s", i, h.Cache.State(line))
	}
	fmt.Fprintf(&s.out, "%4d ns  %-34s 0x%-4x |%s  dev %s\n", s.now, fmt.Sprintf(format, args...), line, states, s.device.Cache.State(line))
}

// Send implements coherence.HostSink and coherence.DeviceSink.
func (s *scene) Send(m coherence.Message) {
	ns, ok := s.delay[m.Op.String()]
	if !ok {
		ns = 10
	}
	at := s.now + ns
	if c := m.Channel(); c == flit.S2MNDR || c == flit.M2SReq { // those that keep order
		k := lane{m.Host, c, m.Addr}
		at = max(at, s.last[k])
		s.last[k] = at
	}
	s.later(at, func() {
		if m.Channel().Direction() == flit.Down {
			s.device.Receive(m)
			s.say(m.Addr, "H%d > dev  %s", m.Host, m)
		} else {
			s.hosts[m.Host].Receive(m)
			s.say(m.Addr, "dev > H%d  %s", m.Host, m)
		}
	})
}

// Done implements the sinks.
func (s *scene) Done(ref int32, value uint64) { s.over(ref, value) }

func (s *scene) over(ref int32, value uint64) {
	a := s.open[ref]
	s.later(s.now, func() { s.say(a.line, "%s %s is over, value %d", a.agent, a.what, value) })
}

// Fetch implements coherence.DeviceSink.
func (s *scene) Fetch(id int32, addr uint64) {
	s.later(s.now+30, func() { s.device.Fetched(id, s.memory[addr]) })
}

// Store implements coherence.DeviceSink.
func (s *scene) Store(addr, value uint64) { s.memory[addr] = value }

// playCoherence plays accesses of hosts and of the device. The system gives hosts, filter (sets and ways), and
// the ns of opcodes; a line of play is the ns, the agent, load, store or update, and a line.
func playCoherence(sc *scenario.Scenario) (string, error) {
	s := &scene{memory: map[uint64]uint64{}, delay: map[string]int{}, last: map[lane]int{}}
	hosts, sets, ways := 2, 64, 4
	for _, l := range sc.System {
		w := l.Words()
		n, err := l.Number(w[1])
		if err != nil {
			return "", err
		}
		switch w[0] {
		case "hosts":
			hosts = int(n)
		case "filter_sets":
			sets = int(n)
		case "filter_ways":
			ways = int(n)
		default:
			s.delay[w[0]] = int(n)
		}
	}
	s.device = coherence.NewDevice(coherence.HDMDB, coherence.NewFilter(sets, ways), 16, 4, s)
	for i := range uint8(hosts) {
		s.hosts = append(s.hosts, coherence.NewHost(i, 64, 4, s))
	}
	for _, l := range sc.Play {
		if err := s.plan(l); err != nil {
			return "", err
		}
	}
	for len(s.queue) > 0 {
		x := s.queue[0]
		s.queue = s.queue[1:]
		s.now = x.at
		x.do()
	}
	for i, h := range s.hosts {
		if h.Busy() > 0 {
			return "", fmt.Errorf("host %d waits for ever", i)
		}
	}
	return s.out.String(), nil
}

// plan plans an access of a line of play.
func (s *scene) plan(l scenario.Line) error {
	kinds := map[string]coherence.Access{"load": coherence.Load, "store": coherence.Store, "update": coherence.Update}
	w := l.Words()
	kind, ok := kinds[w[2]]
	if !ok {
		return l.Errorf("%q (want one of: load, store, update)", w[2])
	}
	at, err := l.Number(w[0])
	if err != nil {
		return err
	}
	line, err := l.Number(w[3])
	if err != nil {
		return err
	}
	begin := s.device.Access
	for i, h := range s.hosts {
		if w[1] == fmt.Sprintf("H%d", i) {
			begin = h.Access
		}
	}
	s.later(int(at), func() {
		ref := int32(len(s.open))
		s.open = append(s.open, access{w[1], w[2], line})
		s.value++
		s.say(line, "%s %ss", w[1], w[2])
		if hit, read := begin(line, kind, ref, s.value); hit {
			s.over(ref, read)
		}
	})
	return nil
}
