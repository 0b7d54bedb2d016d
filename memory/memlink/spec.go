package memlink

import (
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
)

// A Spec is the configuration of a link. Units are in the values.
type Spec struct {
	Bandwidth units.Bandwidth `yaml:"bandwidth" doc:"Of a link in each direction, headers and all"`
	Links     int             `yaml:"links" jsonschema:"minimum=1,maximum=64" doc:"Links side by side; a packet takes the one on which it arrives first"`
	Latency   units.Latency   `yaml:"latency" doc:"From the last bit sent to the other end's knowing, each way: both ends' layers, wires, switches"`
	Packet    units.Bytes     `yaml:"packet" doc:"Most data of a packet"`
	Header    Header          `yaml:"header" doc:"Bytes of a packet in addition to its data, by direction"`
	Granule   units.Bytes     `yaml:"granule" doc:"Packets are rounded up to multiples of it"`
	Least     units.Bytes     `yaml:"least" doc:"Least size of a packet"`
	Flit      Flit            `yaml:"flit" doc:"What the wire carries packets in"`
	// Credits are the buffers of the receivers.
	Credits Credits `yaml:"credits" doc:"Packets that the receiver has room for, by direction"`
	// Outstanding is the most operations in flight.
	Outstanding int `yaml:"outstanding" jsonschema:"minimum=1,maximum=1048576" doc:"Operations under way; others wait"`
	// Energy is that of the wires, per bit.
	Energy energy.Link `yaml:"energy" doc:"Energy of the link per bit on its wires; without it the link has no energy model"`
	// Operation is the costs of an operation in addition to the link.
	Operation Operation `yaml:"operation" doc:"Operations that requests are cut into, and what each costs in addition to the link"`
}

// A Header is the sizes of headers.
type Header struct {
	Request  units.Bytes `yaml:"request" doc:"Of packets away from the requester"`
	Response units.Bytes `yaml:"response" doc:"Of packets back to it"`
}

// A Flit is the frame of the wire.
type Flit struct {
	Size    units.Bytes `yaml:"size" doc:"Bytes of a flit on the wire; 1B is a stream of bytes"`
	Payload units.Bytes `yaml:"payload" doc:"Bytes of it that are packets"`
}

// Credits are packets that a receiver has room for. A credit is back latency after the packet has left
// the receiver's buffer.
type Credits struct {
	Request  int `yaml:"request" jsonschema:"minimum=0,maximum=1048576" doc:"At the far end; 0: they never bind"`
	Response int `yaml:"response" jsonschema:"minimum=0,maximum=1048576" doc:"At the requester, which takes a packet as soon as it arrives; 0: they never bind"`
}

// An Operation configures the operations that requests are cut into.
type Operation struct {
	Size     units.Bytes   `yaml:"size" doc:"Most bytes of an operation, a power of two: requests are cut at multiples of it"`
	Page     units.Bytes   `yaml:"page" doc:"Requests are widened to whole pages of this size, a power of two; 0B leaves them"`
	Threads  int           `yaml:"threads" jsonschema:"minimum=1,maximum=4096" doc:"Threads of the requester that work on operations"`
	Software units.Latency `yaml:"software" doc:"Time of a thread for each operation"`
	Issue    units.Latency `yaml:"issue" doc:"Way from the requester to the link, such as a doorbell over PCIe"`
	Interval units.Latency `yaml:"interval" doc:"Least time from one operation on the link to the next"`
	Access   units.Latency `yaml:"access" doc:"Way from the far end to its memory and back, such as a read over PCIe"`
	Complete units.Latency `yaml:"complete" doc:"Way from the link back to the requester"`
}

// DefaultSpec is a link whose only overhead is headers.
//
// assumption: 16 B of header, 256 B packets, 1024 operations that bind nothing.
func DefaultSpec() Spec {
	return Spec{
		Bandwidth: 800e9, Links: 1, Latency: units.InTime(100 * units.Nanosecond), Packet: 256,
		Header: Header{16, 16}, Granule: 1, Flit: Flit{1, 1}, Outstanding: 1024,
		Operation: Operation{Size: 256, Threads: 1},
	}
}

// fine is the clock of the node: picoseconds.
var fine = clock.Hz(1e12)

// check returns errors of impossible values; at returns the value of a key.
func (s *Spec) check(at func(key string) configs.Value) error {
	var errs configs.Errors
	bad := func(key, format string, args ...any) { errs.Add(at(key).Errorf(nil, format, args...)) }
	if s.Bandwidth == 0 {
		bad("bandwidth", "is 0")
	}
	if s.Links < 1 || s.Links > 64 {
		bad("links", "is %d (want 1 to 64)", s.Links)
	}
	if s.Packet < 1 || s.Packet > memory.MaxBurst {
		bad("packet", "is %s (want 1B to %s)", s.Packet, units.Bytes(memory.MaxBurst))
	}
	if max(s.Header.Request, s.Header.Response) > 1<<20 {
		bad("header", "is more than 1MiB")
	}
	if s.Granule < 1 || s.Granule > 1<<20 {
		bad("granule", "is %s (want 1B to 1MiB)", s.Granule)
	}
	if s.Least > 1<<20 {
		bad("least", "is %s (want at most 1MiB)", s.Least)
	}
	if f := s.Flit; f.Payload < 1 || f.Size < f.Payload || f.Size > 1<<20 {
		bad("flit", "has %s of payload in %s (want 1B or more in at most 1MiB)", f.Payload, f.Size)
	}
	if c := s.Credits; min(c.Request, c.Response) < 0 || max(c.Request, c.Response) > 1<<20 {
		bad("credits", "are %d and %d (want 0 to %d)", c.Request, c.Response, 1<<20)
	}
	if s.Outstanding < 1 {
		bad("outstanding", "is %d (want 1 or more)", s.Outstanding)
	}
	if _, _, err := s.Energy.PerBit(); err != nil {
		bad("energy", "%s", err)
	}
	s.checkOperation(bad)
	return errs.Err()
}

// checkOperation reports what no operation can be, and times that are none.
func (s *Spec) checkOperation(bad func(key, format string, args ...any)) {
	power := func(b units.Bytes) bool { return b > 0 && b&(b-1) == 0 }
	o := s.Operation
	if !power(o.Size) || o.Size > memory.MaxBurst {
		bad("operation", "size is %s (want a power of two up to %s)", o.Size, units.Bytes(memory.MaxBurst))
	}
	if o.Page > 0 && (!power(o.Page) || o.Page > 1<<30) {
		bad("operation", "page is %s (want a power of two up to 1GiB)", o.Page)
	}
	if o.Threads < 1 || o.Threads > 4096 {
		bad("operation", "threads is %d (want 1 to 4096)", o.Threads)
	}
	if o.Software.IsZero() && o.Threads > 1 {
		bad("operation", "threads have no effect without software")
	}
	for _, x := range []struct {
		key string
		l   units.Latency
	}{{"latency", s.Latency}, {"operation", o.Software}, {"operation", o.Issue}, {"operation", o.Interval}, {"operation", o.Access}, {"operation", o.Complete}} {
		if !x.l.IsZero() && x.l != units.InTime(units.Time(x.l.In(fine))*units.Picosecond) {
			bad(x.key, "%s is in cycles, but there is no clock", x.l)
		}
	}
}

func init() {
	system.Register(system.Kind[Spec]{
		Name:    "memlink",
		Doc:     "Memory at the far end of a link of packets: UALink, NVLink, UCIe, RDMA.",
		Source:  "UALink 200G 1.0; UCIe 3.0; InfiniBand Architecture 1.4, volume 1; the presets have theirs",
		Subject: system.OfLinks, Headlines: headlines, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			if err := s.check(v.Place); err != nil {
				return nil, err
			}
			return New(name, env.Engine, s)
		},
	})
}
