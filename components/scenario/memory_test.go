package scenario_test

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/scenario"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	"github.com/causeway-sim/causeway/memory"
	_ "github.com/causeway-sim/causeway/memory/cache"
	_ "github.com/causeway-sim/causeway/memory/dram"
	_ "github.com/causeway-sim/causeway/memory/ideal"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// An actor is a node that sends the requests of a scenario.
type actor struct {
	*memtest.Requester
	stats *stats.Group
}

func init() {
	system.Register(system.Kind[struct{}]{
		Name: "actor", Doc: "Sends the requests of a scenario.", Source: "none",
		New: func(env *system.Env, name string, _ struct{}, _ configs.Value) (system.Node, error) {
			return &actor{memtest.New(name, env.Engine, clock.GHz, nil), stats.NewGroup(name)}, nil
		},
	})
}

func (a *actor) PortSpecs() []system.PortSpec {
	return []system.PortSpec{{Name: "mem", Protocol: system.Mem, Role: system.Requests, Ports: []sim.Port{a.Port}, Clock: clock.GHz}}
}

func (a *actor) Stats() *stats.Group { return a.stats }

func (a *actor) SetMap(_ string, m *memory.Map) error {
	a.Dst = m.Ranges()[0].Ports[0]
	return nil
}

// told is what a system says while it runs.
type told struct {
	time  sim.TimeTeller
	lines []toldLine
	ids   map[string]string // address of a request, by its ID
}

type toldLine struct {
	ps   int64
	text string
}

func (l *told) add(at sim.VTimeInSec, format string, args ...any) {
	l.lines = append(l.lines, toldLine{int64(float64(at)*1e12 + 0.5), fmt.Sprintf(format, args...)})
}

// Func implements sim.Hook: every message that is sent.
func (l *told) Func(ctx sim.HookCtx) {
	if ctx.Pos != sim.HookPosPortMsgSend {
		return
	}
	m := ctx.Item.(sim.Msg)
	owner := func(p sim.Port) string { return p.Component().Name() }
	what := ""
	switch x := m.(type) {
	case *mem.ReadReq:
		what = fmt.Sprintf("read  0x%x, %d B", x.Address, x.AccessByteSize)
		l.ids[x.ID] = fmt.Sprintf("0x%x", x.Address)
	case *mem.WriteReq:
		what = fmt.Sprintf("write 0x%x, %d B", x.Address, len(x.Data))
		l.ids[x.ID] = fmt.Sprintf("0x%x", x.Address)
	case *mem.DataReadyRsp:
		what = "data  " + l.ids[x.RespondTo]
	case *mem.WriteDoneRsp:
		what = "done  " + l.ids[x.RespondTo]
	case *memory.Recall:
		what = fmt.Sprintf("recall 0x%x", x.Addr)
	}
	l.add(l.time.CurrentTime(), "%s > %s  %s", owner(m.Meta().Src), owner(m.Meta().Dst), what)
}

// Task implements task.Listener: what became of lookups.
func (l *told) Task(s *task.Stream, e task.Event) {
	if e.Phase == task.Step {
		l.add(e.At, "%s: %s", s.Nodes()[e.ID.Node()].(sim.Component).Name(), s.Text(e.ID, e.What))
	}
}

func (l *told) text() string {
	slices.SortStableFunc(l.lines, func(a, b toldLine) int { return cmp.Compare(a.ps, b.ps) })
	var b strings.Builder
	for _, x := range l.lines {
		fmt.Fprintf(&b, "%9.2f ns  %s\n", float64(x.ps)/1000, x.text)
	}
	return b.String()
}

// playMemory plays requests on nodes of a configuration. A line of play is the ns from which on a request may
// be sent, the actor, reads or writes, an address and a number of bytes. The commands of DRAM that has
// command_trace follow the log.
func playMemory(s *scenario.Scenario) (string, error) {
	src := "schema: causeway/1\n"
	for _, l := range s.System {
		src += strings.TrimPrefix(l.Text, "  ") + "\n"
	}
	doc, err := configs.Parse(s.System[0].File, []byte(src), configs.Options{})
	if err != nil {
		return "", err
	}
	e := engine.New()
	sys, err := system.Build(doc, &system.Env{Engine: e, Seed: 1})
	if err != nil {
		return "", err
	}
	for _, l := range s.Play {
		if err := request(sys, l); err != nil {
			return "", err
		}
	}
	log := &told{time: e, ids: map[string]string{}}
	var nodes []task.Reporter
	for _, n := range sys.Nodes() {
		for _, p := range n.PortSpecs() {
			for _, port := range p.Ports {
				port.AcceptHook(log)
			}
		}
		if r, ok := n.(task.Reporter); ok {
			nodes = append(nodes, r)
		}
		if a, ok := n.(*actor); ok {
			a.Start()
		}
	}
	stream := task.NewStream(e, nodes, log)
	if err := e.Run(); err != nil {
		return "", err
	}
	stream.Close()
	out := log.text()
	for _, n := range sys.Nodes() {
		if err := n.Stats().Verify(); len(err) > 0 {
			return "", fmt.Errorf("%s: %v", n.Name(), err)
		}
		if a, ok := n.(system.Attacher); ok {
			for _, x := range a.Attachments() {
				var b bytes.Buffer
				if _, err := x.Content.WriteTo(&b); err != nil {
					return "", err
				}
				out += x.Name + "\n" + b.String()
			}
		}
	}
	return out, nil
}

// request gives a line of play to its actor.
func request(sys *system.System, l scenario.Line) error {
	w := l.Words()
	if len(w) != 5 {
		return l.Errorf("want: NS ACTOR reads|writes ADDRESS BYTES")
	}
	a, ok := sys.Node(w[1]).(*actor)
	if !ok || w[2] != "reads" && w[2] != "writes" {
		return l.Errorf("want: NS ACTOR reads|writes ADDRESS BYTES")
	}
	at, err := l.Number(w[0])
	if err != nil {
		return err
	}
	addr, err := l.Number(w[3])
	if err != nil {
		return err
	}
	bytes, err := l.Number(w[4])
	if err != nil {
		return err
	}
	a.List = append(a.List, memtest.Request{Cycle: at, Addr: addr, Bytes: bytes, Write: w[2] == "writes"})
	return nil
}
