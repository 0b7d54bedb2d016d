package nearmem

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/nearmem/offload"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
)

// Spec configures host, device, link, protocol and the offloaded work.
type Spec struct {
	Host     Side            `yaml:"host" doc:"The host's units and memory"`
	Device   Side            `yaml:"device" doc:"The device's units and memory"`
	Link     Link            `yaml:"link" doc:"What joins them"`
	Protocol Protocol        `yaml:"protocol" doc:"How work is offloaded: rp (launch by CXL.io, remote polling), bs (a load that blocks until the kernel is done), async (results stream back into a ring), interrupt (async, with an interrupt in place of local polling)"`
	Remote   units.Time      `yaml:"remote_polling" doc:"rp: time from one poll to the next"`
	Firmware units.Latency   `yaml:"firmware" doc:"rp: what the device's firmware takes to start a kernel; cycles are the device's"`
	Local    units.Time      `yaml:"local_polling" doc:"async: time from one look at the metadata's tail to the next"`
	Signal   units.Time      `yaml:"interrupt" doc:"interrupt: time from the arrival of results to the host's knowing"`
	Ring     RingSpec        `yaml:"ring" doc:"async, interrupt: the ring for results in the host's memory"`
	Stream   Stream          `yaml:"stream" doc:"async, interrupt: how the device writes into it"`
	Order    bool            `yaml:"out_of_order" doc:"async, interrupt: results go as tasks are done; false: in the order of tasks"`
	Rounds   int             `yaml:"rounds" jsonschema:"minimum=0,maximum=10000000" doc:"Rounds in which the tasks of a kernel are dealt to the device's units, a contiguous run each time: 1 gives each unit one block, as many as there are tasks deals them one by one; 0 is as the phase says"`
	Work     Work            `yaml:"work" doc:"What is offloaded: a name (causeway list offloads) and its parameters"`
	Phases   []offload.Phase `yaml:"phases" doc:"What is offloaded, phase by phase, in place of work"`

	seed uint64 // of errors on the link
}

// Side is the units and memory of the host or the device.
type Side struct {
	Clock     units.Frequency `yaml:"clock" doc:"Clock of the units"`
	Units     int             `yaml:"units" jsonschema:"minimum=1,maximum=65536" doc:"Processing units, a task each"`
	Rate      int             `yaml:"rate" jsonschema:"minimum=1,maximum=65536" doc:"Operations of a unit per cycle"`
	Bandwidth units.Bandwidth `yaml:"bandwidth" doc:"Of the memory, shared by the units"`
}

// Link is the link between host and device.
type Link struct {
	Mem       units.Time      `yaml:"mem" doc:"Round trip of CXL.mem"`
	IO        units.Time      `yaml:"io" doc:"Round trip of CXL.io"`
	Bandwidth units.Bandwidth `yaml:"bandwidth" doc:"Payload of each direction, without flits"`

	// Flit to BER describe a CXL link in place of Bandwidth.
	Flit    string     `yaml:"flit" jsonschema:"enum=,enum=68B,enum=256B,enum=latency" doc:"Flits: 68B, 256B, latency (256 B in two halves); mem and io are then the protocol layers of both ends, and flits, credits and retry are added. Left out: no flits, a bandwidth"`
	Rate    int        `yaml:"rate" jsonschema:"enum=8,enum=16,enum=32,enum=64" doc:"Rate of a lane, GT/s"`
	Lanes   int        `yaml:"lanes" jsonschema:"enum=1,enum=2,enum=4,enum=8,enum=16" doc:"Lanes in each direction"`
	Credits int        `yaml:"credits" jsonschema:"minimum=1" doc:"Messages of each class that a receiver has room for"`
	Wire    units.Time `yaml:"wire" doc:"Time from a flit's last bit to its being at hand: wire and physical layers"`
	BER     [2]float64 `yaml:"ber" doc:"Probability of a wrong bit: [to device, to host]"`
}

// RingSpec is the ring for results in host memory.
type RingSpec struct {
	Slot  units.Bytes `yaml:"slot" doc:"Size of a slot"`
	Slots int         `yaml:"slots" jsonschema:"minimum=1,maximum=10000000" doc:"Number of slots"`
}

// Stream configures the device's DMA writes into the ring.
type Stream struct {
	Factor   units.Bytes `yaml:"factor" doc:"Streaming factor: bytes of results that have to wait before the device writes, unless all tasks are done"`
	Prepare  units.Time  `yaml:"prepare" doc:"Preparation of a DMA request"`
	Metadata units.Bytes `yaml:"metadata" doc:"Size of the record that follows the payload of each task"`
}

// DefaultSpec has the values of table III of arXiv 2512.04449.
func DefaultSpec() Spec {
	const ddr5 = units.Bandwidth(16 * 8 * 38.4e9) // 16 channels DDR5-4800, 38.4 GB/s each
	return Spec{
		Host:   Side{units.Frequency{Clock: clock.Hz(3e9)}, 32, 1, ddr5},
		Device: Side{units.Frequency{Clock: clock.Hz(2e9)}, 16, 1, ddr5},
		Link: Link{
			Mem: 70 * units.Nanosecond, IO: 350 * units.Nanosecond, Bandwidth: units.Bandwidth(8 * 63e9),
			Rate: 32, Lanes: 16, Credits: 128, Wire: 2 * units.Nanosecond,
		}, // assumption: PCIe 5.0 x16, 128b/130b
		Protocol: Async,
		Remote:   units.Microsecond,
		Firmware: units.InCycles(5000), // fitted: RP against BS of KNN (2048, 128)
		Local:    50 * units.Nanosecond,
		Signal:   50 * units.Microsecond,
		Ring:     RingSpec{32, 50000},
		Stream:   Stream{32, 500 * units.Nanosecond, 16}, // assumption: a record of position, length, task
		Order:    true,
	}
}

// A Protocol is an offload protocol.
type Protocol uint8

// The protocols.
const (
	RemotePolling Protocol = iota
	BulkSynchronous
	Async
	Interrupt
)

var protocols = []string{"rp", "bs", "async", "interrupt"}

// String is the protocol as a configuration names it.
func (p Protocol) String() string { return protocols[p] }

// ConfigValues implements schema.Enumerator.
func (Protocol) ConfigValues() []string { return protocols }

// MarshalText implements encoding.TextMarshaler.
func (p Protocol) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *Protocol) UnmarshalText(b []byte) error {
	i := slices.Index(protocols, string(b))
	if i < 0 {
		return fmt.Errorf("unknown protocol %q", b)
	}
	*p = Protocol(i)
	return nil
}

// streams reports whether results go through the ring.
func (p Protocol) streams() bool { return p == Async || p == Interrupt }

// Work is the name of an entry of offload.All and its parameters.
type Work struct {
	Name string
	Spec any // of the entry
}

// String is the name.
func (w Work) String() string { return w.Name }

// UnmarshalConfig implements configs.Unmarshaler.
func (w *Work) UnmarshalConfig(v configs.Value) error {
	name, err := v.Choice("work", offload.All.Names())
	if err != nil {
		return err
	}
	e, _ := offload.All.Entry(name)
	spec, err := v.Parameters(e.Spec)
	*w = Work{name, spec}
	return err
}

// only lists the protocols for which a key has an effect.
var only = map[string][]Protocol{
	"remote_polling": {RemotePolling}, "firmware": {RemotePolling},
	"local_polling": {Async}, "interrupt": {Interrupt},
	"ring": {Async, Interrupt}, "stream": {Async, Interrupt}, "out_of_order": {Async, Interrupt},
}

// choose reports keys without effect, and that it is not clear what to run.
func (s *Spec) choose(v configs.Value) error {
	var errs configs.Errors
	for _, key := range v.Keys() {
		if ps, ok := only[key]; ok && !slices.Contains(ps, s.Protocol) {
			errs.Add(v.Get(key).Errorf(nil, "has no effect on protocol %s (used by: %v)", s.Protocol, ps))
		}
	}
	l := v.Get("link")
	for _, key := range []string{"rate", "lanes", "credits", "wire", "ber"} {
		if x := l.Get(key); x.Exists() && s.Link.Flit == "" {
			errs.Add(x.Errorf(nil, "has no effect without flit"))
		}
	}
	if x := l.Get("bandwidth"); x.Exists() && s.Link.Flit != "" {
		errs.Add(x.Errorf(nil, "has no effect on a link of flits (used by: rate and lanes)"))
	}
	if (s.Work.Name == "") == (len(s.Phases) == 0) {
		errs.Add(v.Errorf(offload.All.Names(), "needs either work, as in work: knn, or phases"))
	}
	return errs.Err()
}

// longest is the longest time that a key may hold.
const longest = 1000 * units.Second

// check reports what is impossible; v may be absent.
func (s *Spec) check(v configs.Value) error {
	var errs configs.Errors
	for _, x := range []struct {
		key  string
		side *Side
	}{{"host", &s.Host}, {"device", &s.Device}} {
		if x.side.Clock.Clock.IsZero() || x.side.Units < 1 || x.side.Rate < 1 {
			errs.Add(v.Get(x.key).Errorf(nil, "needs a clock, units and a rate"))
		}
		if x.side.Bandwidth == 0 {
			errs.Add(v.Get(x.key).Place("bandwidth").Errorf(nil, "is 0B/s: results never come (want a data rate, for example 614.4GB/s)"))
		}
	}
	for _, x := range []struct {
		key   string
		empty bool
	}{
		{"remote_polling", s.Remote == 0}, {"local_polling", s.Local == 0},
		{"ring", s.Ring.Slot == 0 || s.Ring.Slots < 1}, {"rounds", s.Rounds < 0},
	} {
		if x.empty {
			errs.Add(v.Get(x.key).Errorf(nil, "is 0, or less"))
		}
	}
	if s.Stream.Factor > 1<<40 {
		errs.Add(v.Get("stream").Place("factor").Errorf(nil, "is %s (at most 1TiB)", s.Stream.Factor))
	}
	if s.Link.Flit == "" && s.Link.Bandwidth == 0 {
		errs.Add(v.Get("link").Place("bandwidth").Errorf(nil, "is 0B/s: nothing ever crosses the link (want a data rate, for example 63GB/s)"))
	}
	if s.Link.Flit != "" {
		if _, err := s.Link.config(0); err != nil {
			errs.Add(v.Get("link").Errorf(nil, "%s", err))
		}
	}
	for _, x := range []struct {
		key  string
		time units.Time
	}{
		{"remote_polling", s.Remote}, {"local_polling", s.Local}, {"interrupt", s.Signal},
		{"link", max(s.Link.Mem, s.Link.IO, s.Link.Wire)}, {"stream", s.Stream.Prepare},
	} {
		if x.time > longest {
			errs.Add(v.Get(x.key).Errorf(nil, "is %s (at most %s)", x.time, longest))
		}
	}
	return errs.Err()
}

// program is what is offloaded.
func (s *Spec) program(seed uint64) (offload.Program, error) {
	if len(s.Phases) > 0 {
		return s.Phases, nil
	}
	return offload.New(s.Work.Name, s.Work.Spec, seed)
}

func init() {
	schema.RegisterFunc[Work](func() schema.Schema {
		return schema.Schema{
			"title": "an offloaded workload: its name and parameters",
			"anyOf": []any{
				schema.Schema{"type": "string", "enum": offload.All.Names()},
				schema.Schema{"type": "object", "required": []any{"name"}},
			},
		}
	})
}
