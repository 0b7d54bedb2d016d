// Package deadlock proves that the packets of a network cannot wait for each other in a circle.
// Check follows every packet of a topology through every decision that its routing algorithm
// may take, and looks for a cycle of channels.
//
//	proof, err := deadlock.Check(topology, algorithm, 0)
//	if !proof.Free() {
//		fmt.Println(proof)
//	}
//
// # Cost
//
// Check walks through the states of packets at routers. Of a dragonfly it follows
// one packet for many alike (Bulk), and of the draws and questions that lead to the
// same channel one. So 1,056 terminals take 0.1 s, and 16,512 (p8 a16 h8) 0.3 to 4 s,
// with every algorithm of a dragonfly: rlm, the costliest, has 6.0 million decisions,
// par 2.5 (195 before it was done so), olm 6.2, par_ph 5.2 (137 before), piar 5.6. If
// the packets that stand for many may close a cycle, every packet is followed after
// all. A test draws networks, failures, algorithms and maps of classes, wrong ones
// among them, and compares with a walk of every packet that knows none of this.
//
// up_down, shortest and table know no such packets: of them Check decides about 500
// routers within the 10 million decisions that a node follows before a run (some
// seconds). Beyond, the run says that it is not checked.
//
// # Left out
//
// Deadlocks of other causes than the order of channels: of protocols above the network, or of
// buffers that hold less than the messages need.
//
// # Sources
//
// Dally and Seitz, "Deadlock-free message routing in multiprocessor interconnection networks",
// IEEE ToC 1987, theorem 1; optional hops: Duato, "A new theory of deadlock-free adaptive
// routing in wormhole networks", IEEE TPDS 1993.
package deadlock
