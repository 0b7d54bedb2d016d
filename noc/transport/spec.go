package transport

import (
	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
	"github.com/causeway-sim/causeway/noc/congestion"
)

// Settings has the keys of congestion.
type Settings struct {
	Congestion     Control        `yaml:"congestion" doc:"Congestion control of the endpoints, by name with its parameters (causeway list congestion); left out: messages wait in queues without an end or by buffer, and nothing is lost"`
	Queue          Queue          `yaml:"queue" doc:"Output queues of routers, with congestion"`
	Retransmission Retransmission `yaml:"retransmission" doc:"How lost packets are sent again, with congestion"`
	Acks           Acks           `yaml:"acks" doc:"Acknowledgements, with congestion"`
}

// A Control is the value of the key congestion.
type Control struct {
	named.Choice
	at configs.Value
}

// UnmarshalConfig implements configs.Unmarshaler.
func (c *Control) UnmarshalConfig(v configs.Value) (err error) {
	c.at = v
	if c.Choice, err = named.Read(v, "congestion control", congestion.All); err == nil {
		_, err = c.make()
	}
	return err
}

// make returns the algorithm, nil without one. Errors are at the place of the key.
func (c *Control) make() (congestion.Algorithm, error) {
	if c.Name == "" {
		return nil, nil
	}
	a, err := congestion.New(c.Name, c.Spec)
	if err != nil && c.at.Exists() {
		err = c.at.Errorf(nil, "%s", err)
	}
	return a, err
}

func init() {
	schema.RegisterFunc[Control](func() schema.Schema { return named.Schema("a congestion control", congestion.All) })
}

// Queue is the configuration of the output queues of routers.
type Queue struct {
	Size *units.Bytes `yaml:"size" doc:"Bytes of data that a port holds; a packet that finds no room is lost, or trimmed; 0B is no limit. Left out it is the bandwidth-delay product of the two farthest terminals if the queues trim, else five times that, and no limit with pfc"`
	ECN  ECN          `yaml:"ecn" doc:"Marks of packets by the bytes that wait behind them; left out: kmin and kmax are 20 and 80 % of the bandwidth-delay product, pmax is 1, if the congestion control reads marks"`
	PFC  PFC          `yaml:"pfc" doc:"Priority flow control: a router pauses the sender of a channel, so that no queue overflows; left out: none"`
	Trim units.Bytes  `yaml:"trim" doc:"Bytes to which a packet that finds no room is cut; it goes on before data, and its receiver asks for it again; 0B: it is lost"`
}

// ECN is random early detection on the instantaneous queue.
type ECN struct {
	Min   units.Bytes `yaml:"kmin" doc:"Bytes up to which no packet is marked"`
	Max   units.Bytes `yaml:"kmax" doc:"Bytes above which every packet is marked"`
	Share float64     `yaml:"pmax" jsonschema:"minimum=0,maximum=1" doc:"Share of packets that are marked at kmax; left out: 1"`
}

// PFC is the thresholds of priority flow control.
type PFC struct {
	Pause  units.Bytes `yaml:"pause" doc:"Bytes that came by a channel and have not left the router, above which it is paused; 0B: no flow control"`
	Resume units.Bytes `yaml:"resume" doc:"Bytes below which it may go on; 0B is four fifths of pause, and at least 1B"`
}

// Retransmission is the configuration of retransmission.
type Retransmission struct {
	Name    string     `yaml:"name" jsonschema:"enum=go_back_n,enum=selective" doc:"go_back_n: receivers take packets in order only, and senders start again from the first that is missing; selective: they repeat the packets that are missing. Left out: selective with swift and nscc, else go_back_n"`
	Timeout units.Time `yaml:"timeout" doc:"Time without an acknowledgement after which a packet is sent again; 0ns: four times the longest round trip of the empty network and the time in which a full queue drains to the slowest terminal, at least 100us; with a packet in place of a queue, and 1ms, where queues have no limit"`
	Reorder *int       `yaml:"reorder" jsonschema:"minimum=0,maximum=100000" doc:"With selective: later packets that have come before one counts as lost, on one path; 0: only a timeout finds it. Left out: 3"`
}

// The values of Retransmission.Name.
const (
	GoBackN   = "go_back_n"
	Selective = "selective"
)

// Acks is the configuration of acknowledgements.
type Acks struct {
	Priority bool        `yaml:"priority" doc:"Acknowledgements have a queue of their own in routers, which is served first and has no end; false: they wait with data, and may be lost"`
	Size     units.Bytes `yaml:"size" doc:"Bytes of an acknowledgement, a notification, or a request for a packet"`
	Every    units.Bytes `yaml:"every" doc:"Bytes after which a receiver acknowledges, with at most 8 packets; at once it acknowledges the first packet, marked ones, those that fill a gap and those after which the sender waits. 0B: every packet"`
}

// DefaultSettings has no congestion control.
//
// assumption: an acknowledgement takes a smallest frame of Ethernet.
func DefaultSettings() Settings { return Settings{Acks: Acks{Priority: true, Size: 64}} }

// On reports whether the network controls congestion.
func (s *Settings) On() bool { return s.Congestion.Name != "" }

// Limits of the keys.
const (
	maxQueue = 1 << 40
	maxAck   = 1 << 16
)

// Check returns errors of impossible values, at their places in the node v. packet is the bytes of
// a full packet, header included.
func (s *Settings) Check(v configs.Value, packet int) error {
	var errs configs.Errors
	if !s.On() {
		for _, key := range []string{"queue", "retransmission", "acks"} {
			if x := v.Get(key); x.Exists() {
				errs.Add(x.Errorf(nil, "has no effect without congestion (want congestion: a name of causeway list congestion)"))
			}
		}
		return errs.Err()
	}
	s.Queue.check(v.Get("queue"), packet, &errs)
	a, err := s.Congestion.make()
	errs.Add(err)
	if q := v.Get("queue").Get("ecn"); err == nil && q.Exists() && !a.Needs().Marks {
		errs.Add(q.Errorf(nil, "has no effect: %s does not read marks", s.Congestion.Name))
	}
	r, at := &s.Retransmission, v.Get("retransmission")
	if r.Name != "" && r.Name != GoBackN && r.Name != Selective {
		errs.Add(at.Get("name").Errorf([]string{GoBackN, Selective}, "unknown retransmission %q", r.Name))
	}
	if r.Reorder != nil {
		switch {
		case *r.Reorder < 0 || *r.Reorder > 100000:
			errs.Add(at.Get("reorder").Errorf(nil, "is %d (want 0 to 100000)", *r.Reorder))
		case err == nil && s.inOrder(a):
			errs.Add(at.Get("reorder").Errorf(nil, "has no effect with go_back_n (want name: selective)"))
		}
	}
	if r.Timeout > 10*units.Second {
		errs.Add(at.Get("timeout").Errorf(nil, "is %s (want at most 10s)", r.Timeout))
	}
	if s.Acks.Size < 1 || s.Acks.Size > maxAck {
		errs.Add(v.Get("acks").Get("size").Errorf(nil, "is %s (want 1B to %s)", s.Acks.Size, units.Bytes(maxAck)))
	}
	if s.Acks.Every > maxQueue {
		errs.Add(v.Get("acks").Get("every").Errorf(nil, "is %s (want at most %s)", s.Acks.Every, units.Bytes(maxQueue)))
	}
	return errs.Err()
}

// inOrder reports whether receivers take packets in order only.
func (s *Settings) inOrder(a congestion.Algorithm) bool {
	if s.Retransmission.Name == "" {
		return !a.Needs().Selective
	}
	return s.Retransmission.Name == GoBackN
}

func (q *Queue) check(v configs.Value, packet int, errs *configs.Errors) {
	if q.Size != nil && *q.Size != 0 && (*q.Size < units.Bytes(packet) || *q.Size > maxQueue) {
		errs.Add(v.Get("size").Errorf(nil, "is %s (want 0B or %s, a packet, to %s)", *q.Size, units.Bytes(packet), units.Bytes(maxQueue)))
	}
	if at := v.Get("ecn"); at.Exists() {
		q.ECN.check(at, errs)
	}
	if at := v.Get("pfc"); at.Exists() {
		q.PFC.check(at, errs)
	}
	switch unlimited := q.Size != nil && *q.Size == 0 || q.Size == nil && q.PFC.Pause > 0; {
	case q.Trim > 0 && unlimited:
		errs.Add(v.Get("trim").Errorf(nil, "has no effect: queues have no limit (want size)"))
	case q.Trim > units.Bytes(packet):
		errs.Add(v.Get("trim").Errorf(nil, "is %s (want at most %s, a packet)", q.Trim, units.Bytes(packet)))
	}
}

func (e *ECN) check(v configs.Value, errs *configs.Errors) {
	if at := v.Get("kmax"); at.Exists() && (e.Max < e.Min || e.Max == 0 || e.Max > maxQueue) {
		errs.Add(at.Errorf(nil, "is %s (want kmin, %s, to %s, and more than 0B)", e.Max, e.Min, units.Bytes(maxQueue)))
	}
	if e.Min > maxQueue {
		errs.Add(v.Get("kmin").Errorf(nil, "is %s (want at most %s)", e.Min, units.Bytes(maxQueue)))
	}
	if !v.Get("pmax").Exists() {
		e.Share = 1
	}
	if !(e.Share >= 0 && e.Share <= 1) {
		errs.Add(v.Get("pmax").Errorf(nil, "is %g (want 0 to 1)", e.Share))
	}
}

func (p *PFC) check(v configs.Value, errs *configs.Errors) {
	switch {
	case p.Pause == 0:
		errs.Add(v.Get("pause").Errorf(nil, "is 0B (want more than 0B, or no pfc)"))
	case p.Pause > maxQueue:
		errs.Add(v.Get("pause").Errorf(nil, "is %s (want at most %s)", p.Pause, units.Bytes(maxQueue)))
	case p.Resume > p.Pause:
		errs.Add(v.Get("resume").Errorf(nil, "is %s (want at most pause, %s)", p.Resume, p.Pause))
	}
}
