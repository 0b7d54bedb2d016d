package setting

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// LinkSpec is the configuration of a CXL link. Its latency is that of the links list.
type LinkSpec struct {
	// Flit is the size and layout of flits.
	Flit string `yaml:"flit" jsonschema:"enum=68B,enum=256B,enum=latency,enum=pbr" doc:"Flits: 68B, 256B, latency (256 B in two halves), pbr (256 B with port-based routing)"`
	// Carrier is the physical layer.
	Carrier string `yaml:"carrier" jsonschema:"enum=pcie,enum=ucie_standard,enum=ucie_advanced" doc:"Physical layer: pcie, or UCIe between dies of a standard or an advanced package, without sync headers and FEC"`
	// Rate is in GT/s per lane.
	Rate int `yaml:"rate" jsonschema:"enum=4,enum=8,enum=12,enum=16,enum=24,enum=32,enum=48,enum=64" doc:"Rate of a lane, GT/s: 8, 16, 32 or 64 of pcie, any of UCIe"`
	// Lanes is per direction.
	Lanes int `yaml:"lanes" jsonschema:"enum=1,enum=2,enum=4,enum=8,enum=16,enum=32,enum=64,enum=128,enum=256" doc:"Lanes in each direction: up to 16 of pcie, 8 to 64 of ucie_standard, 32 to 256 of ucie_advanced"`
	// Credits are the buffers of the receivers.
	Credits CreditSpec `yaml:"credits" doc:"Messages that the receiver has room for, by class"`
	// DRSPerFlit is the most read answers whose headers share a flit; 0 is the limit of the
	// specification.
	DRSPerFlit int `yaml:"drs_per_flit" jsonschema:"minimum=0,maximum=64" doc:"Headers of read answers in one flit (128 B of a larger one) at most; 0 is the specification's limit"`
	// RetryBuffer is the most unacknowledged flits.
	RetryBuffer int `yaml:"retry_buffer" jsonschema:"minimum=9,maximum=1023" doc:"Flits that may wait for an Ack"`
	// RetryTimeout is the flits after which a request for replay is repeated.
	RetryTimeout int `yaml:"retry_timeout" jsonschema:"minimum=16,maximum=1048576" doc:"Flits after which a request for replay that is not answered is repeated"`
	// Bypass leaves out the sync headers.
	Bypass bool `yaml:"sync_header_bypass" doc:"Leave out the 2 bits in front of every 128, as both ends may agree up to 32 GT/s"`
	// Energy is that of the wires, per bit.
	Energy energy.Link `yaml:"energy" doc:"Energy of the link per bit on its wires; left out it is pcie5 at 32 GT/s, pcie6 at 64 GT/s and pcie4 below, or that of UCIe"`
	// BER is the probability of a wrong bit towards the device, and towards the host.
	BER [2]float64 `yaml:"ber" doc:"Probability of a wrong bit, before error correction: [to device, to host]"`
}

// CreditSpec is the credits by class.
type CreditSpec struct {
	Req int `yaml:"req" jsonschema:"minimum=0,maximum=1048576" doc:"M2S Req: reads"`
	RwD int `yaml:"rwd" jsonschema:"minimum=0,maximum=1048576" doc:"M2S RwD: writes"`
	NDR int `yaml:"ndr" jsonschema:"minimum=0,maximum=1048576" doc:"S2M NDR: completions of writes"`
	DRS int `yaml:"drs" jsonschema:"minimum=0,maximum=1048576" doc:"S2M DRS: data of reads"`
}

// DefaultLink is a x16 link of 68 B flits at 32 GT/s.
//
// assumption: 128 credits of each class, so that round trips of some 150 ns do not
// bind.
func DefaultLink() LinkSpec {
	return LinkSpec{Flit: "68B", Carrier: carrierNames[link.PCIe], Rate: 32, Lanes: 16, Credits: CreditSpec{128, 128, 128, 128}, RetryBuffer: 255, RetryTimeout: 4096}
}

// flitNames are the modes as configurations name them.
var flitNames = []string{"68B", "256B", "latency", "pbr"}

// carrierNames are the carriers as configurations name them.
var carrierNames = []string{"pcie", "ucie_standard", "ucie_advanced"}

// PerBit returns the energy per bit on the wire, in pJ. ok is false for a link without an energy
// model.
func (s LinkSpec) PerBit() (pj float64, ok bool, err error) { return s.LinkEnergy().PerBit() }

// LinkEnergy returns the energy of the link; if no PHY is named, with that of its rate.
func (s LinkSpec) LinkEnergy() energy.Link {
	e := s.Energy
	switch {
	case e.PHY != "":
	case s.Carrier == carrierNames[link.PCIe]:
		e.PHY = map[int]string{8: "pcie4", 16: "pcie4", 32: "pcie5", 64: "pcie6"}[s.Rate]
	case s.Rate <= 16:
		e.PHY = s.Carrier + "_16"
	default:
		e.PHY = s.Carrier
	}
	return e
}

// Config returns the link's configuration with a latency in ps and the seed of its bit errors.
func (s LinkSpec) Config(latency int64, seed uint64) (link.Config, error) {
	c := link.DefaultConfig()
	i := slices.Index(flitNames, s.Flit)
	if i < 0 {
		return c, fmt.Errorf("unknown flit %q (want one of: %s)", s.Flit, strings.Join(flitNames, ", "))
	}
	k := slices.Index(carrierNames, s.Carrier)
	if k < 0 {
		return c, fmt.Errorf("unknown carrier %q (want one of: %s)", s.Carrier, strings.Join(carrierNames, ", "))
	}
	c.Carrier = link.Carrier(k)
	if _, _, err := s.PerBit(); err != nil {
		return c, fmt.Errorf("energy.%w", err)
	}
	c.Mode = flit.Mode(i)
	c.Rate, c.Lanes, c.Latency, c.Retry, c.BER, c.Seed, c.Bypass = s.Rate, s.Lanes, latency, s.RetryBuffer, s.BER, seed, s.Bypass
	c.Timeout = s.RetryTimeout
	if s.Bypass && c.Carrier != link.PCIe {
		return c, fmt.Errorf("sync_header_bypass has no effect over UCIe, which has no sync headers")
	}
	if s.Bypass && s.Rate == 64 {
		return c, fmt.Errorf("sync_header_bypass has no effect at 64 GT/s, which has no sync headers")
	}
	c.Limits = flit.DefaultLimits(c.Mode)
	if s.DRSPerFlit > 0 {
		c.Limits[flit.S2MDRS] = uint8(s.DRSPerFlit)
	}
	c.Credits = [flit.Classes]int{}
	c.Credits[flit.M2SReq], c.Credits[flit.M2SRwD] = s.Credits.Req, s.Credits.RwD
	c.Credits[flit.S2MNDR], c.Credits[flit.S2MDRS] = s.Credits.NDR, s.Credits.DRS
	// assumption: 64 credits of each class of coherence
	for _, x := range []flit.Class{flit.M2SBIRsp, flit.S2MBISnp, flit.D2HReq, flit.D2HRsp, flit.D2HData, flit.H2DReq, flit.H2DRsp, flit.H2DData} {
		c.Credits[x] = 64
	}
	return c, c.Check()
}

// RootSpec is the configuration of a host and its root ports.
type RootSpec struct {
	// Ports is the root ports, towards devices and switches.
	Ports int `yaml:"ports" jsonschema:"minimum=1,maximum=64" doc:"Root ports"`
	// HostLatency is that of core, caches and page walk, there and back together.
	HostLatency units.Latency `yaml:"host_latency" doc:"Core, caches and page walk, there and back together"`
	// Bridge is the latency between caches and root ports, each way.
	Bridge units.Latency `yaml:"bridge" doc:"Host bridge, each way"`
	// Protocol is the latency of transaction and link layer of a root port, each way.
	Protocol units.Latency `yaml:"protocol" doc:"Protocol layers of a root port, each way"`
	// LocalLatency is that to the memory at port mem, each way.
	LocalLatency units.Latency `yaml:"local_latency" doc:"Way between caches and the memory at port mem, each way"`
	// Outstanding is the most lines in flight.
	Outstanding int `yaml:"outstanding" jsonschema:"minimum=1,maximum=65536" doc:"Lines of 64 B under way"`
	// Throttle limits lines in flight by the load that devices report.
	Throttle bool `yaml:"throttle" doc:"Have fewer lines under way at a device that tells of overload (QoS telemetry)"`
	// Timeout is the time after which a line without an answer is given up; 0 is never.
	Timeout units.Latency `yaml:"timeout" doc:"Time after which a line without an answer is given up; 0ns waits for ever"`
	// OnTimeout is the answer to a request with such a line.
	OnTimeout string `yaml:"on_timeout" jsonschema:"enum=poison,enum=error" doc:"Answer to a request with lines given up: poison answers it like any other, error with a failure, which ends the run unless the requester handles failures"`
	// Lost are links that are lost in the run.
	Lost []LossSpec `yaml:"lost" doc:"Links that are lost during the run"`
	// Link is the link of every root port.
	Link LinkSpec `yaml:"link" doc:"The links of the root ports"`
	// Cache is that of coherent lines.
	Cache HostCacheSpec `yaml:"cache" doc:"Cache of the host for lines of coherent devices (hdm: d or db); others go past it"`
}

// HostCacheSpec is a host's cache of coherent lines.
type HostCacheSpec struct {
	Size  units.Bytes   `yaml:"size" doc:"Bytes; 0B is no cache: coherent lines are read and written through"`
	Ways  int           `yaml:"ways" jsonschema:"minimum=1,maximum=1024" doc:"Ways of a set"`
	Snoop units.Latency `yaml:"snoop" doc:"What a snoop of a device takes in the caches"`
}

// DefaultRoot has no latency of the host, and 20 ns in each direction of the port.
//
// assumption: outstanding lines bind nothing by default; a snoop takes 50 ns in the
// caches, what port and bridge leave of BISnp to BIRsp (90 ns, CXL 3.1, table 13-2).
func DefaultRoot() RootSpec {
	return RootSpec{Ports: 1, Protocol: units.InTime(20 * units.Nanosecond), Outstanding: 1024, OnTimeout: "poison", Link: DefaultLink(),
		Cache: HostCacheSpec{Ways: 16, Snoop: units.InTime(50 * units.Nanosecond)}}
}

// SwitchSpec is the configuration of a switch.
type SwitchSpec struct {
	// Upstream is the upstream ports, one per virtual hierarchy.
	Upstream int `yaml:"upstream" jsonschema:"minimum=1,maximum=64" doc:"Ports towards hosts, each the root of a virtual hierarchy"`
	// Downstream is the downstream ports.
	Downstream int `yaml:"downstream" jsonschema:"minimum=1,maximum=256" doc:"Ports towards devices"`
	// Latency is that of a message through the switch.
	Latency units.Latency `yaml:"latency" doc:"Way of a message through the switch, each way"`
	// VCS are the virtual switches; empty: every upstream port is bound to all downstream ports.
	VCS []VCSpec `yaml:"vcs" doc:"Virtual switches: what each upstream port leads to; none is everything"`
	// Lost are links that are lost in the run.
	Lost []LossSpec `yaml:"lost" doc:"Links that are lost during the run"`
	// Link is the link of every downstream port.
	Link LinkSpec `yaml:"link" doc:"The links of the downstream ports"`
}

// VCSpec is a virtual CXL switch: one upstream port and the bindings of its virtual bridges
// (vPPBs).
type VCSpec struct {
	Up   int        `yaml:"up" jsonschema:"minimum=0" doc:"The upstream port"`
	Bind []BindSpec `yaml:"bind" jsonschema:"required" doc:"Where its virtual bridges lead"`
}

// BindSpec binds a virtual bridge to a downstream port and LD-IDs.
type BindSpec struct {
	Down int   `yaml:"down" jsonschema:"minimum=0" doc:"A downstream port"`
	LDs  []int `yaml:"lds" doc:"LD-IDs of the device there; none is all of them"`
}

// DefaultSwitch has a latency of 70 ns.
//
// Source: Li et al., Pond, ASPLOS 2023, figure 7: a switch adds 70 ns and more.
func DefaultSwitch() SwitchSpec {
	return SwitchSpec{Upstream: 1, Downstream: 1, Latency: units.InTime(70 * units.Nanosecond), Link: DefaultLink()}
}

// Type3Spec is the configuration of a memory device.
type Type3Spec struct {
	// Memory is a node of kind memory of any fidelity.
	Memory configs.Value `yaml:"memory" jsonschema:"required" doc:"The memory inside: keys of a node of kind memory, a preset for example"`
	// Protocol is the latency between link and memory controller, each way.
	Protocol units.Latency `yaml:"protocol" doc:"Physical and protocol layers of the device, each way"`
	// Entries is the lines that the device has at its memory.
	Entries int `yaml:"entries" jsonschema:"minimum=1,maximum=4096" doc:"Lines under way between protocol layers and memory"`
	// Early: a write completes when it reaches the device.
	Early bool `yaml:"early" doc:"A write is complete when it has reached the memory controller's queue, not when the memory has answered"`
	// HDM is the model of coherence.
	HDM string `yaml:"hdm" jsonschema:"enum=h,enum=db" doc:"Coherence of the memory: h (hosts keep what they share coherent by themselves), db (the device does, by back-invalidation)"`
	// Filter is the snoop filter of db.
	Filter FilterSpec `yaml:"filter" doc:"Snoop filter of hdm: db"`
	// LDs are its logical devices; empty: the device is one.
	LDs []LDSpec `yaml:"lds" doc:"Logical devices, by LD-ID: at most 16; none: the device is one"`
	// Energy is that of the device's controller.
	Energy ControllerSpec `yaml:"energy" doc:"Energy of the device's controller: its buffers, and its power at rest"`
	// Heads is the links of the device.
	Heads int `yaml:"heads" jsonschema:"minimum=1,maximum=64" doc:"Links of the device, to several hosts or switches"`
}

// FilterSpec is the configuration of a snoop filter.
type FilterSpec struct {
	Entries int `yaml:"entries" jsonschema:"minimum=1,maximum=16777216" doc:"Lines of which it knows the holders"`
	Ways    int `yaml:"ways" jsonschema:"minimum=1,maximum=1024" doc:"Ways of a set"`
}

// defaultFilter knows 64 Ki lines, 4 MiB.
//
// assumption: the size; the specification leaves it to the device.
func defaultFilter() FilterSpec { return FilterSpec{Entries: 65536, Ways: 16} }

// DefaultType3 has the protocol latency of the specification's targets: 20 ns each
// way, half of MemWr to Cmp.
//
// Source: CXL 3.1, table 13-2.
func DefaultType3() Type3Spec {
	return Type3Spec{Protocol: units.InTime(20 * units.Nanosecond), Entries: 256, Early: true, Heads: 1, HDM: "h", Filter: defaultFilter(), Energy: ControllerSpec{Process: energy.DefaultProcess}}
}

// Fine is the clock of all ports, 1 THz.
var Fine = clock.Hz(1e12)

// Ps returns a latency in picoseconds.
func Ps(l units.Latency) int64 { return int64(l.In(Fine)) }

// Check returns an error for impossible values.
func (s RootSpec) Check() error {
	return errors.Join(InTime(s.HostLatency, s.Bridge, s.Protocol, s.LocalLatency, s.Cache.Snoop, s.Timeout))
}

// InTime returns an error for latencies in cycles, since the nodes have no clock, and for
// fractions of a picosecond.
func InTime(ls ...units.Latency) error {
	for _, l := range ls {
		if !l.IsZero() && l != units.InTime(units.Time(Ps(l))*units.Picosecond) {
			if strings.HasSuffix(l.String(), "cycle") {
				return fmt.Errorf("latency %s is in cycles, but there is no clock", l)
			}
			return fmt.Errorf("latency %s is no whole number of picoseconds", l)
		}
	}
	return nil
}
