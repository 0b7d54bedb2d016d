package setting

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// Type2Spec is the configuration of a device with memory and an accelerator.
type Type2Spec struct {
	// Memory is a node of kind memory of any fidelity.
	Memory configs.Value `yaml:"memory" jsonschema:"required" doc:"The memory inside: keys of a node of kind memory, a preset for example"`
	// Protocol is the latency between link and coherence engine, each way.
	Protocol units.Latency `yaml:"protocol" doc:"Physical and protocol layers of the device, each way"`
	// Entries is the lines that the device has at its memory.
	Entries int `yaml:"entries" jsonschema:"minimum=1,maximum=4096" doc:"Lines under way between protocol layers and memory"`
	// HDM is the model of coherence.
	HDM string `yaml:"hdm" jsonschema:"enum=h,enum=d,enum=db" doc:"Coherence of the memory: h (the host alone caches it), d (bias, by CXL.cache), db (back-invalidation)"`
	// Filter is the snoop filter of db.
	Filter FilterSpec `yaml:"filter" doc:"Snoop filter of hdm: db"`
	// Cache is the device's cache, below port dev.
	Cache DeviceCacheSpec `yaml:"cache" doc:"Cache of the accelerator, for the device's memory"`
	// Reach is the memories that port dev reaches.
	Reach string `yaml:"reach" jsonschema:"enum=device,enum=host" doc:"What port dev leads to: the device's memory, or the host's too (at the root's port mem), by CXL.cache"`
	// HostCache is the cache of the host's memory.
	HostCache PeerSpec `yaml:"host_cache" doc:"Cache of the accelerator for the host's memory, with reach: host"`
	// Energy is that of the device's controller and cache.
	Energy ControllerSpec `yaml:"energy" doc:"Energy of the device's controller: its buffers, its cache, and its power at rest"`
	// Latency is that from port dev to the device's cache.
	Latency units.Latency `yaml:"latency" doc:"Way from port dev to the device's cache"`
}

// DeviceCacheSpec is a device's cache of its own memory.
type DeviceCacheSpec struct {
	Size units.Bytes `yaml:"size" doc:"Bytes; 0B is no cache"`
	Ways int         `yaml:"ways" jsonschema:"minimum=1,maximum=1024" doc:"Ways of a set"`
}

// maxCache is the largest cache: some 30 B of the simulator's memory for each 64 B.
const maxCache = units.Bytes(1 << 30)

// Geometry returns sets and ways; ways is 0 without a cache. The error is a size that ways of 64
// B do not divide, or that is too large.
func (s DeviceCacheSpec) Geometry() (sets, ways int, err error) {
	if s.Size > maxCache {
		return 0, 0, fmt.Errorf("size %s is more than %s", s.Size, maxCache)
	}
	lines := int(s.Size / 64)
	if s.Size%64 != 0 || lines%s.Ways != 0 {
		return 0, 0, fmt.Errorf("size %s is no multiple of %d ways of 64 B", s.Size, s.Ways)
	}
	if lines == 0 {
		return 1, 0, nil
	}
	return lines / s.Ways, s.Ways, nil
}

// DefaultType2 has the values of a memory device, back-invalidation and a cache of
// 256 KiB.
//
// assumption: size and latency of the cache.
func DefaultType2() Type2Spec {
	d := DefaultType3()
	return Type2Spec{Protocol: d.Protocol, Entries: d.Entries, HDM: "db", Filter: d.Filter,
		Cache: DeviceCacheSpec{Size: 256 << 10, Ways: 8}, Latency: units.InTime(10 * units.Nanosecond), Reach: "device", HostCache: defaultPeer(), Energy: d.Energy}
}

// Type3 returns the device without its accelerator.
func (s Type2Spec) Type3() Type3Spec {
	return Type3Spec{Memory: s.Memory, Protocol: s.Protocol, Entries: s.Entries, Early: true, Heads: 1, HDM: s.HDM, Filter: s.Filter, Energy: s.Energy}
}

// PeerSpec is a device's cache of its host's memory.
type PeerSpec struct {
	Size  units.Bytes   `yaml:"size" doc:"Bytes; 0B is no cache: lines are read once (RdCurr) and written through (WrInv)"`
	Ways  int           `yaml:"ways" jsonschema:"minimum=1,maximum=1024" doc:"Ways of a set"`
	Snoop units.Latency `yaml:"snoop" doc:"What a snoop of the host takes in the cache"`
	Pull  units.Latency `yaml:"pull" doc:"What the device takes to bring data that the host pulls"`
}

// defaultPeer meets the targets, with protocol layers of 20 ns each way: a snoop that
// misses is answered in 90 ns, data are sent 65 ns after a WritePull.
//
// Source: CXL 3.1, table 13-2 (90 to 150 ns, 65 ns). assumption: the rest is the cache.
func defaultPeer() PeerSpec {
	return PeerSpec{Ways: 8, Snoop: units.InTime(50 * units.Nanosecond), Pull: units.InTime(25 * units.Nanosecond)}
}
