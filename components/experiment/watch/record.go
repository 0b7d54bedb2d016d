package watch

import (
	"fmt"
	"io"
	"strings"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// Spec is the key record of the section simulation.
type Spec struct {
	Requests []string `yaml:"requests" jsonschema:"description=Ports (Core.mem or LLC.bottom) whose memory requests are written as a trace into PORT.trace"`
	Channels bool     `yaml:"channels" jsonschema:"description=Write channels.csv: per channel of networks the cycles it was busy, flits, stalls"`
}

// A channeled node is a network that reports the use of its channels.
type channeled interface {
	system.Node
	RecordChannels() // before the run
	Channels() *stats.Table
}

// A Record holds traces of memory requests and the use of channels.
type Record struct {
	ports    []*recorder
	networks []channeled
}

// NewRecord attaches recorders to the ports and networks that spec names, before nodes start; at
// is the section of spec, for errors.
func NewRecord(sys *system.System, spec Spec, at configs.Value) (*Record, error) {
	var errs configs.Errors
	r := &Record{}
	for _, v := range at.Get("requests").Items() {
		ports, err := sys.Ports(v)
		if err != nil {
			errs.Add(err)
			continue
		}
		for _, p := range ports {
			errs.Add(r.addPort(p, v))
		}
	}
	if spec.Channels {
		errs.Add(r.addChannels(sys, at.Get("channels")))
	}
	return r, errs.Err()
}

// addPort attaches a recorder to a port, which v names.
func (r *Record) addPort(p system.NamedPort, v configs.Value) error {
	switch {
	case p.Spec.Fused:
		return v.Errorf(nil, "no message crosses %s: what its links join runs as one component", p.Name)
	case p.Spec.Protocol != system.Mem && p.Spec.Protocol != system.Any:
		return v.Errorf(nil, "no memory request crosses %s: it carries %s", p.Name, p.Spec.Protocol)
	}
	x := &recorder{port: p, pos: sim.HookPosPortMsgRecvd, known: map[*memory.Tensor]uint32{}, nameless: map[uint32]uint32{}}
	if p.Spec.Role == system.Requests {
		x.pos = sim.HookPosPortMsgSend
	}
	p.Port.AcceptHook(x)
	r.ports = append(r.ports, x)
	return nil
}

// addChannels has the networks of a system record their channels, as v asks for.
func (r *Record) addChannels(sys *system.System, v configs.Value) error {
	for _, n := range sys.Nodes() {
		if c, ok := n.(channeled); ok {
			c.RecordChannels()
			r.networks = append(r.networks, c)
		}
	}
	if len(r.networks) == 0 {
		return v.Errorf(nil, "has no effect: no node has channels (network does)")
	}
	return nil
}

// Ports is the number of ports whose requests are recorded.
func (r *Record) Ports() int { return len(r.ports) }

// Channels returns the table of channels; nil if the section does not request it.
func (r *Record) Channels() *stats.Table {
	var out *stats.Table
	for _, n := range r.networks {
		t := n.Channels()
		if out == nil {
			out = &stats.Table{Columns: append([]stats.Column{{Name: "where", Text: "Network."}}, t.Columns...)}
		}
		for _, row := range t.Rows {
			out.Rows = append(out.Rows, append([]any{n.Name()}, row...))
		}
	}
	return out
}

// Traces returns the files of requests, and warnings about them.
func (r *Record) Traces() (files []system.Attachment, doubts []string) {
	for _, x := range r.ports {
		if x.tape.Len() == 0 {
			doubts = append(doubts, fmt.Sprintf("simulation.record: no request crossed %s", x.port.Name))
		}
		files = append(files, system.Attachment{Name: x.port.Name + ".trace", Content: x})
	}
	return files, doubts
}

// A recorder writes down the requests that cross one port. It is a hook of the port:
// a requesting port's requests count when they are sent, a responding one's when they
// arrive, those of a network's terminal when they arrive from its link.
type recorder struct {
	port     system.NamedPort
	pos      *sim.HookPos
	tape     trace.Tape
	tensors  []trace.Tensor
	known    map[*memory.Tensor]uint32
	nameless map[uint32]uint32
}

// Func implements sim.Hook.
func (r *recorder) Func(ctx sim.HookCtx) {
	m, ok := ctx.Item.(sim.Msg)
	if !ok || ctx.Pos != r.pos {
		return
	}
	q, ok := memory.RequestOf(m)
	if !ok {
		return
	}
	at := m.Meta().RecvTime
	if r.pos == sim.HookPosPortMsgSend {
		at = m.Meta().SendTime
	}
	rec := trace.Record{Time: instant.AtOrBefore(r.port.Spec.Clock, at), Addr: q.Addr, Size: uint32(q.Bytes), Write: q.Write}
	if h := q.Hint; h != nil {
		rec.Core, rec.Reuse, rec.PC, rec.Tensor = uint32(h.Core), h.Reuse, h.PC, r.tensor(h)
	}
	r.tape.Append(&rec)
}

// tensor is the number of a hint's tensor in the trace, 0 for none.
func (r *recorder) tensor(h *memory.Hint) uint32 {
	t := h.About
	switch {
	case h.Tensor == 0:
		return 0
	case t == nil || t.Bytes == 0:
		n, ok := r.nameless[h.Tensor]
		if !ok {
			r.tensors = append(r.tensors, trace.Tensor{Name: fmt.Sprintf("tensor.%d", h.Tensor-1), Kind: h.Kind, Bytes: 1})
			n = uint32(len(r.tensors))
			r.nameless[h.Tensor] = n
		}
		return n
	}
	n, ok := r.known[t]
	if !ok {
		name := strings.Join(strings.Fields(t.Name), "_")
		if name == "" {
			name = fmt.Sprintf("tensor.%d", h.Tensor-1)
		}
		r.tensors = append(r.tensors, trace.Tensor{
			Name: name, Kind: h.Kind, Base: t.Base, Bytes: t.Bytes, Tile: t.Tile,
			Accesses: t.Accesses, Sharers: uint32(t.Sharers), WriteOnce: t.WriteOnce,
		})
		n = uint32(len(r.tensors))
		r.known[t] = n
	}
	return n
}

// WriteTo writes the trace in the own format.
func (r *recorder) WriteTo(w io.Writer) (int64, error) {
	format, _ := trace.All.Entry("causeway")
	c := r.port.Spec.Clock
	out := &counting{w: w}
	t, err := format.New.Create(out, trace.Header{
		Fields: trace.Times | trace.Writes | trace.Sizes | r.tape.Seen(),
		Tick:   trace.Tick{Unit: trace.Seconds, Num: c.Num(), Den: c.Den()}, Tensors: r.tensors,
	})
	if err != nil {
		return out.n, err
	}
	if err := r.tape.Each(t.Write); err != nil {
		return out.n, err
	}
	return out.n, t.Close()
}

// counting counts the bytes that pass.
type counting struct {
	w io.Writer
	n int64
}

func (c *counting) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
