// Package cxl is memory reached by CXL links: kinds cxl_root, cxl_switch and
// cxl_type3. They are declared apart and run as one component.
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
// The root cuts a request into lines of 64 B. At most Outstanding of them are under
// way; the others wait. After host latency (once), bridge and protocol latency a line
// reaches a link as a message: M2S Req for a read, M2S RwD for a write. Links pack
// flits, spend credits, and replay (memory/cxl/flit and link); switches forward messages
// and keep their buffers until they are sent on. The device reads its memory, a node of
// kind memory of any fidelity inside it, at the address that the decoders give
// (memory/cxl/hdm: the ranges of the memory section). The answer, S2M DRS or NDR, returns
// by the same links. A request is answered when its last line is.
//
// A line at the root's port mem (local memory besides the devices) takes
// host latency, local latency, memory, local latency.
//
// # Latency
//
// Every line carries what it spent where: host, port, link_queue, serialization,
// retry, wire, switch, device, device_queue, dram_queue, dram_service, return. The parts of each
// line add up to its latency to the picosecond, or the run fails. Where the parts
// are means of lines, load_latency_mean is one of requests: they add up where a
// request is one line.
//
// # Time
//
// All times are in picoseconds; ports have that clock. What happens inside is computed
// when something outside may see it, not when it is due, which saves most events of the
// engine and changes no result. Links without errors tell when a message will arrive as soon
// as its header leaves. Memories inside devices act in the same loop, without
// messages and events of their own, until a component outside may act (memory/block). So does
// a driver that is alone at a root's port host. Nodes send messages where a device caches
// (cxl_type2, hdm: db), links are lost or time out, a hook observes ports, or all tasks are
// asked for. `run --messages` has all of it be messages and events.
//
// # Load of devices
//
// Every answer reports how full the device's places are (DevLoad: light, optimal,
// moderate and severe overload). A root with throttle keeps fewer lines under way at a
// device that reports overload, and more at one with light load; lines are issued in
// order, so that a line waits for those before it, whatever their device.
//
// # Pools
//
// A switch with vcs shows each of its upstream ports what it is bound to: downstream
// ports, and LD-IDs of the devices there. A device with lds is several logical devices,
// each home to the ranges that it names, laid out in the device's memory in order of
// LD-ID. A root reaches a logical device through the heads that the device names, if the
// root's host is among the hosts it names. A range without such a path does not exist for
// that root; a range interleaved over devices of which the root reaches only some is an
// error.
//
// Each logical device has its own queue in front of the memory; an arbiter admits requests
// from these queues by their shares (min) and limits (max). The arbiter cannot reorder what
// the memory already holds (entries) nor what waits for a shared link; there only hosts that
// throttle by the reported load make a difference.
//
// # Port-based routing
//
// A node of kind cxl_fabric is switches of any topology; hosts, devices and switches of
// trees are linked to its terminals. Its switches send a message on by the identifier
// (12 bits: 4,096) of where it goes. Tables are filled before the run, by shortest ways
// that share the channels evenly, or by a routing algorithm. Requests and answers have
// ways of their own. CXL has no virtual channels: ways whose channels could wait for
// each other in a ring are refused, and the ring is named. Each switch takes its
// latency, each channel its own and that of a PBR flit.
//
// # Loss of a link
//
// A link may be lost at a time (lost). The messages that are in it, in front of it or
// come to it later are lost with it; what they held elsewhere is free again. A root with
// a timeout gives up a line that has no answer by then: its request is answered with
// poison, or with a failure (on_timeout). Without one the run ends with a report of who
// waits for which link. The tables of a fabric with port-based routing are filled again
// without the lost link after detect: by up_down where that was the routing or shortest
// ways could block, else by shortest ways. Messages whose way is lost take the new tables
// from the next switch on; those that could wait in a ring with others then are lost
// too. Lines that were given up are in no mean of lines; every line is answered, or
// given up and lost or late, or the run fails.
//
// # Coherence
//
// A device with hdm: db or d keeps its memory coherent itself (memory/cxl/coherence has
// the state machines; home.go and dcoh.go give them times). Lines of it go by the
// cache of the root, and from there as messages of coherence, each of them in flits:
// a read is answered by Cmp and MemData. What a line waits for other hosts, or for a
// place in the snoop filter, is in its part device; what it waits for another access of the
// same line, in host. The messages in front of a link have 64 places of each class of
// back-invalidation and CXL.cache. A snoop takes 2 (bridge + protocol) + snoop of the
// root's cache.
//
// A Type 2 device has a port dev: its requests take the latency of the device to its
// cache and its coherence engine, which asks hosts only for lines that they hold. With
// hdm: h they go past it to the memory, and no node keeps caches coherent. With reach:
// host it caches the local memory of its host too: the root's home agent then orders the
// requests of cores and devices for it. Cores have no cache of their own there but what
// host_latency stands for, and a store of theirs is over when it is in order.
//
// # Where to find what
//
// Nodes are here: kind.go registers them, node.go is what they share, root.go, switch.go,
// pbr.go, device.go and accelerator.go have one each; a root's lines are in issue.go, ports
// in root_ports.go and device_ports.go. fabric.go is the component that they become: it
// knows them by an interface (node) and asks those only that have something to do.
// assembly.go and fuse.go make it; routes.go, decode.go, cohere.go and loss.go are steps of
// that. Below are rooms without ports, each with its tests:
//
//   - transit moves lines over links, in order of time
//   - route finds routes, fills tables, finds rings
//   - pool shares a device among logical devices, reports load, throttles hosts
//   - coherent gives times to the machines of coherence
//   - loss takes links from a network that runs
//   - flit, link, coherence and hdm are the specification's layers
//
// # Left out
//
// CXL.io between nodes (the packers and links have it), links that come back, loss of
// links to coherent devices, the isolation of a root port (each line waits its
// timeout), virtual switches in a fabric with port-based routing (bind logical devices
// by their hosts there). A write of less than a line takes a whole one, without byte
// enables. Lines carry timing only: a memory with functional: true is refused.
//
// # Deviations
//
//  1. A write is complete when it has reached the device's queue (early, the target
//     of the specification); early: false waits for the memory's answer.
//  2. A switch forwards a message when its last flit has come, without cut-through,
//     and has one queue per link and class for all hosts: no virtual channels.
//  3. Channels of a fabric have the slot formats of both directions in one flit, as
//     hosts and devices are on either side.
//  4. A coherent device takes every message that comes: what it has not finished is
//     bounded by the hosts' outstanding lines, not by credits.
//  5. The whole of a line's data takes one credit; the protocol layers are delays
//     without a rate of their own.
//
// # Sources
//
// Compute Express Link 3.1; presets and examples name those of their numbers.
package cxl
