// Package cxl models memory behind CXL links: node kinds cxl_root, cxl_switch, cxl_fabric,
// cxl_type2 and cxl_type3. Nodes are declared apart and run as one component. See ExampleBuilder.
//
//	nodes:
//	  - {name: Root, kind: cxl_root, bridge: 50ns, protocol: 12ns}
//	  - {name: Far, kind: cxl_type3, protocol: 15ns, memory: {preset: ddr5_4800}}
//	links:
//	  - Core -> Root.host
//	  - Root.down -> Far.up
//
// # The path of a request
//
// The root cuts a request into lines of 64 B. At most Outstanding lines are in flight; the others
// wait. After host latency (once), bridge and protocol latency a line reaches a link as a
// message: M2S Req for a read, M2S RwD for a write. Links pack flits, spend credits, and replay
// (memory/cxl/flit and link); a switch holds a message's buffer until it has forwarded it. The
// device reads its memory, a node of kind memory of any fidelity inside it, at the address that
// the decoders give (memory/cxl/hdm: the ranges of the memory section). The answer, S2M DRS or
// NDR, returns by the same links. A request is answered when its last line is.
//
// A line at the root's port mem (local memory besides the devices) takes
// host latency, local latency, memory, local latency.
//
// # Latency
//
// The latency of a line is divided into host, port, link_queue, serialization, retry, wire,
// switch, device, device_queue, dram_queue, dram_service and return. The parts add up to the
// picosecond, which is checked. Metrics of parts are means over lines, load_latency_mean is one
// over requests; they add up if a request is one line.
//
// # Time
//
// Times are picoseconds, the clock of the ports. The fabric computes its inside when a component
// outside may see it, which saves most engine events and changes no result. A link without errors
// reports the arrival of a message when its header leaves. Memories inside devices, and a driver
// that is alone at a root's port host, run in the same loop without messages (memory/block).
// Nodes send messages if a device caches (cxl_type2, hdm: db), links are lost, lines time out, a
// hook observes ports, or all tasks are recorded. `run --messages` always uses messages and
// events.
//
// # Load of devices
//
// Every answer reports the occupancy of the device (DevLoad: light, optimal, moderate and severe
// overload). A root with throttle reduces its lines in flight at a device that reports overload,
// and raises them with light load. Lines are issued in order, so that a line waits for earlier
// ones to any device.
//
// # Pools
//
// A switch with vcs binds each upstream port to downstream ports, and LD-IDs of the devices
// there. A device with lds is several logical devices, each home to the ranges that it names, in
// the device's memory in order of LD-ID. A root reaches a logical device through the heads and
// from the hosts that the device names. A root without such a path does not have the range; a
// range interleaved over devices of which a root reaches only some is an error.
//
// Each logical device has its own queue in front of the memory; an arbiter admits requests from
// these queues by their shares (min) and limits (max). The arbiter reorders neither lines in the
// memory (entries) nor lines that wait for a shared link; there only throttling hosts help.
//
// # Port-based routing
//
// A node of kind cxl_fabric is switches of any topology; hosts, devices and tree switches are
// linked to its terminals. A switch forwards by the destination's identifier (12 bits: 4,096).
// Tables are filled before the run, by shortest routes that balance the channels, or by a routing
// algorithm, apart for requests and answers. CXL has no virtual channels: routes whose channels
// could wait for each other in a ring are an error that names the ring. Each switch adds its
// latency, each channel its own and that of a PBR flit.
//
// # Loss of a link
//
// A link may be lost at a time (lost), with all messages in it, before it, and arriving later;
// their buffers elsewhere are freed. A root with a timeout gives up a line without an answer, and
// answers its request with poison or a failure (on_timeout). Without a timeout the run ends with
// a report of the waiting lines and links. After detect a cxl_fabric fills its tables without the
// lost link: by up_down if that was the routing or shortest routes could block, else by shortest
// routes. Messages whose route is lost use the new tables from the next switch on; those that
// could then wait in a ring are lost too. Means over lines leave out lines that were given up. It
// is checked that every line is answered, or given up and lost or late.
//
// # Coherence
//
// A device with hdm: db or d keeps its memory coherent itself (memory/cxl/coherence has the state
// machines; home.go and dcoh.go give them times). Its lines pass the root's cache and then the
// links as coherence messages: a read is answered by Cmp and MemData. A line's wait for other
// hosts, or for the snoop filter, is in its part device; its wait for another access to the same
// line is in host. A link has 64 places for messages of each class of back-invalidation and
// CXL.cache. A snoop takes 2 (bridge + protocol) + snoop of the root's cache.
//
// A Type 2 device has a port dev: its requests reach, after the key latency, the device's cache
// and coherence engine, which snoops hosts only for lines that they hold. With hdm: h they bypass
// both, and caches are not coherent. With reach: host the device also caches its host's local
// memory, whose requests of cores and devices the root's home agent orders. Cores have no cache
// there except in host_latency, and a store of a core ends when it is ordered.
//
// # Where to find what
//
// Nodes: kind.go registers them, node.go has their common part, root.go, switch.go, pbr.go,
// device.go and accelerator.go one each; issue.go has a root's lines, root_ports.go and
// device_ports.go the ports. fabric.go is the component that nodes become, by the interface node.
// assembly.go and fuse.go make it, in the steps of routes.go, decode.go, cohere.go and loss.go.
// Packages without ports:
//
//   - transit moves lines over links, in order of time
//   - route finds routes, fills tables, finds rings
//   - pool shares a device among logical devices, reports load, throttles hosts
//   - coherent adds times to the state machines of coherence
//   - loss removes links during a run
//   - flit, link, coherence and hdm are the specification's layers
//
// # Left out
//
// CXL.io between nodes (packers and links have it), links that recover, loss of links to coherent
// devices, isolation of a root port (each line waits its timeout), virtual switches in a
// cxl_fabric (bind logical devices by hosts), byte enables (a partial write takes a whole line).
// Lines carry timing only: a memory with functional: true is an error.
//
// # Deviations
//
//  1. A write is complete when it has reached the device's queue (early, the target
//     of the specification); early: false waits for the memory's answer.
//  2. A switch forwards a message when its last flit has come, without cut-through,
//     and has one queue per link and class for all hosts: no virtual channels.
//  3. Channels of a fabric have the slot formats of both directions in one flit, as hosts and
//     devices are on both sides.
//  4. A coherent device accepts every message: its unfinished messages are bounded by the hosts'
//     outstanding lines, not by credits.
//  5. All data of a line take one credit; protocol layers are delays without a rate.
//
// # Sources
//
// Compute Express Link 3.1; presets and examples name the sources of their numbers.
package cxl
