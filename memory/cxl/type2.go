package cxl

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cxl/coherence"
)

// Type2Spec is what a device with memory and an accelerator is like.
type Type2Spec struct {
	// Memory is a node of kind memory of any fidelity.
	Memory configs.Value `yaml:"memory" jsonschema:"required" doc:"The memory inside: keys of a node of kind memory, a preset for example"`
	// Protocol is the way between link and coherence engine.
	Protocol units.Latency `yaml:"protocol" doc:"Physical and protocol layers of the device, each way"`
	// Entries is the lines that the device has at its memory.
	Entries int `yaml:"entries" jsonschema:"minimum=1,maximum=4096" doc:"Lines under way between protocol layers and memory"`
	// HDM is the model of coherence.
	HDM string `yaml:"hdm" jsonschema:"enum=h,enum=d,enum=db" doc:"Coherence of the memory: h (the host alone caches it), d (bias, by CXL.cache), db (back-invalidation)"`
	// Filter is the snoop filter of db.
	Filter FilterSpec `yaml:"filter" doc:"Snoop filter of hdm: db"`
	// Cache of the device, behind port dev.
	Cache DeviceCacheSpec `yaml:"cache" doc:"Cache of the accelerator, for the device's memory"`
	// Reach is what port dev leads to.
	Reach string `yaml:"reach" jsonschema:"enum=device,enum=host" doc:"What port dev leads to: the device's memory, or the host's too (at the root's port mem), by CXL.cache"`
	// HostCache is the cache for the host's memory.
	HostCache PeerSpec `yaml:"host_cache" doc:"Cache of the accelerator for the host's memory, with reach: host"`
	// Latency of the accelerator.
	Latency units.Latency `yaml:"latency" doc:"Way from port dev to the device's cache"`
}

// FilterSpec is a snoop filter.
type FilterSpec struct {
	Entries int `yaml:"entries" jsonschema:"minimum=1,maximum=16777216" doc:"Lines of which it knows the holders"`
	Ways    int `yaml:"ways" jsonschema:"minimum=1,maximum=1024" doc:"Ways of a set"`
}

// DeviceCacheSpec is the cache of a device.
type DeviceCacheSpec struct {
	Size units.Bytes `yaml:"size" doc:"Bytes; 0B is no cache"`
	Ways int         `yaml:"ways" jsonschema:"minimum=1,maximum=1024" doc:"Ways of a set"`
}

// HostCacheSpec is the cache of a host for coherent lines.
type HostCacheSpec struct {
	Size  units.Bytes   `yaml:"size" doc:"Bytes; 0B is no cache: coherent lines are read and written through"`
	Ways  int           `yaml:"ways" jsonschema:"minimum=1,maximum=1024" doc:"Ways of a set"`
	Snoop units.Latency `yaml:"snoop" doc:"What a snoop of a device takes in the caches"`
}

// maxCache is the largest cache: some 30 B of the simulator's memory for each 64 B.
const maxCache = units.Bytes(1 << 30)

// geometry is the number of sets.
func (s DeviceCacheSpec) geometry() (sets int, err error) {
	if s.Size > maxCache {
		return 0, fmt.Errorf("size %s is more than %s", s.Size, maxCache)
	}
	lines := int(s.Size / 64)
	if s.Size%64 != 0 || lines%s.Ways != 0 {
		return 0, fmt.Errorf("size %s is no multiple of %d ways of 64 B", s.Size, s.Ways)
	}
	return max(lines/s.Ways, 1), nil
}

func (s HostCacheSpec) geometry() (int, error) { return DeviceCacheSpec{s.Size, s.Ways}.geometry() }

// defaultFilter knows 64 Ki lines, 4 MiB.
//
// assumption: the size; the specification leaves it to the device.
func defaultFilter() FilterSpec { return FilterSpec{Entries: 65536, Ways: 16} }

// DefaultType2 has the values of a memory device, back-invalidation and a cache of
// 256 KiB.
//
// assumption: size and latency of the cache.
func DefaultType2() Type2Spec {
	d := DefaultType3()
	return Type2Spec{Protocol: d.Protocol, Entries: d.Entries, HDM: "db", Filter: d.Filter,
		Cache: DeviceCacheSpec{Size: 256 << 10, Ways: 8}, Latency: units.InTime(10 * units.Nanosecond), Reach: "device", HostCache: defaultPeer()}
}

// NewType2 makes a device with memory and a port for an accelerator.
func NewType2(name string, env *system.Env, s Type2Spec, v configs.Value) (*Type3, error) {
	if err := inTime(s.Latency, s.HostCache.Snoop, s.HostCache.Pull); err != nil {
		return nil, err
	}
	if s.HDM == "h" && v.Get("cache").Exists() && s.Cache.Size > 0 {
		return nil, v.Get("cache").Errorf(nil, "cache has no effect with hdm: h: nobody would keep it coherent")
	}
	if s.Reach != "host" && v.Get("host_cache").Exists() {
		return nil, v.Get("host_cache").Errorf(nil, "host_cache has no effect with reach: %s", s.Reach)
	}
	d, err := NewType3(name, env, s.type3(), v)
	if err != nil {
		return nil, err
	}
	d.accelerate(s)
	return d, nil
}

// type3 is what the device is like without its accelerator.
func (s Type2Spec) type3() Type3Spec {
	return Type3Spec{Memory: s.Memory, Protocol: s.Protocol, Entries: s.Entries, Early: true, Heads: 1, HDM: s.HDM, Filter: s.Filter}
}

// accelerate gives a device its port dev.
func (d *Type3) accelerate(s Type2Spec) {
	d.dev = &accelerator{device: d, spec: s, latency: ps(s.Latency)}
	d.dev.port = engine.NewPort(d, d.Name()+".Dev", portBuffer)
	d.AddPort("Dev", d.dev.port)
	d.dev.stats()
}

// An accelerator is the side of a Type 2 device that computes: its port dev.
type accelerator struct {
	device    *Type3
	spec      Type2Spec
	latency   int64
	port      *engine.Port
	requests  []devRequest
	idle      []int32
	responses memory.Responses
	answers   []int32
	count     struct {
		memory.Traffic
		answered    uint64
		latency     uint64
		first, last int64
	}
}

type devRequest struct {
	msg  sim.Msg
	left int
	at   int64
}

// devAccess is one line of a request.
type devAccess struct {
	device  int32
	request int32
	kind    coherence.Access
	addr    uint64 // in the device, or of the host
	host    bool   // in the host's memory
}

// take cuts a request into lines.
func (a *accelerator) take(f *fabric, msg sim.Msg, t int64) error {
	m, ok := memory.RequestOf(msg)
	if !ok {
		return fmt.Errorf("cxl: %s: %T is no memory request", a.device.Name(), msg)
	}
	a.count.Count(m)
	addr, bytes, write := m.Addr, m.Bytes, m.Write
	if a.count.Requests() == 1 {
		a.count.first = t
	}
	end := addr + max(bytes, 1)
	q := devRequest{msg: msg, at: t, left: int((end-1)/64 - addr/64 + 1)}
	var k int32
	if n := len(a.idle); n > 0 {
		k = a.idle[n-1]
		a.idle = a.idle[:n-1]
		a.requests[k] = q
	} else {
		k = int32(len(a.requests))
		a.requests = append(a.requests, q)
	}
	for at := addr / 64 * 64; at < end; at += 64 {
		ld, here, _, ok := f.space.Find(at)
		x := devAccess{device: a.device.index, request: k, addr: here}
		switch p := a.device.peer; {
		case ok && f.lds[ld].device == a.device:
		case p != nil && p.root.reaches(at):
			x.addr, x.host = at, true
		default:
			return fmt.Errorf("cxl: %s: address %#x at port dev is in no memory that it reaches", a.device.Name(), at)
		}
		if write {
			if x.kind = coherence.Store; at < addr || at+64 > end {
				x.kind = coherence.Update
			}
		}
		var i int32
		if n := len(f.devFree); n > 0 {
			i = f.devFree[n-1]
			f.devFree = f.devFree[:n-1]
			f.devs[i] = x
		} else {
			i = int32(len(f.devs))
			f.devs = append(f.devs, x)
		}
		f.push(t+a.latency, i, stepDev)
	}
	return nil
}

// beginDev is called when an access of an accelerator has come to its cache.
func (f *fabric) beginDev(i int32, t int64) {
	x := f.devs[i]
	if x.host {
		p := f.devices[x.device].peer
		p.now = t
		if hit, _ := p.Access(x.addr, x.kind, i, 0); hit {
			f.endDev(i)
		}
		return
	}
	c := f.devices[x.device].dcoh
	c.now = t
	if !c.coherent() {
		c.desk.push(job{addr: x.addr, id: i, kind: plain, asked: t})
	} else if hit, _ := c.Access(x.addr, x.kind, i, 0); hit {
		f.endDev(i)
	}
}

// endDev ends an access of an accelerator.
func (f *fabric) endDev(i int32) {
	x := f.devs[i]
	a := f.devices[x.device].dev
	f.devFree = append(f.devFree, i)
	if a.requests[x.request].left--; a.requests[x.request].left == 0 {
		a.answers = append(a.answers, x.request)
	}
}

// answer sends what is done, as far as the wire takes it.
func (a *accelerator) answer(now sim.VTimeInSec, t int64) error {
	n := 0
	for _, k := range a.answers {
		if !a.port.CanSend() {
			break
		}
		q := &a.requests[k]
		if a.port.Send(a.responses.Respond(q.msg, a.port, now)) != nil {
			return fmt.Errorf("cxl: %s: the wire refused a message after it had room", a.device.Name())
		}
		a.count.answered++
		a.count.latency += uint64(t - q.at)
		a.count.last = t
		*q = devRequest{}
		a.idle = append(a.idle, k)
		n++
	}
	a.answers = a.answers[:copy(a.answers, a.answers[n:])]
	return nil
}

func (a *accelerator) stats() {
	c, g := &a.count, a.device.stats
	g.Count("dev_reads", stats.Request, "Read requests at port dev.", &c.Reads)
	g.Count("dev_writes", stats.Request, "Write requests at port dev.", &c.Writes)
	g.Count("dev_read_bytes", stats.Byte, "Bytes asked for by the reads at port dev.", &c.ReadBytes)
	g.Count("dev_write_bytes", stats.Byte, "Bytes brought by the writes at port dev.", &c.WriteBytes)
	g.Value("dev_latency_mean", stats.NS, "Mean time from a request at port dev to its answer.", func() (float64, bool) {
		return float64(c.latency) / float64(max(c.answered, 1)) / 1000, c.answered > 0
	})
	g.Value("dev_bandwidth", stats.GBps, "Bytes read and written at port dev per second, from the first request to the last answer.", func() (float64, bool) {
		return float64(c.ReadBytes+c.WriteBytes) / float64(c.last-c.first) * 1000, c.last > c.first
	})
	g.Check("every request at port dev is answered once", func() error {
		if n := c.Reads + c.Writes; n != c.answered {
			return fmt.Errorf("%d requests, %d answers", n, c.answered)
		}
		return nil
	})
}
