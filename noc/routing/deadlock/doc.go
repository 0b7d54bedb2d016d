// Package deadlock proves that a routing algorithm is free of deadlock on a topology. Check
// follows every packet through every decision that the algorithm may take, and looks for a cycle
// of channels. See ExampleCheck.
//
//	proof, err := deadlock.Check(topology, algorithm, 0)
//	if !proof.Free() {
//		fmt.Println(proof)
//	}
//
// # Cost
//
// Check enumerates the states of packets at routers. On a dragonfly it follows one packet for
// many equal ones (Bulk), and one of the draws and answers that lead to the same channel. So
// 1,056 terminals take 0.1 s, and 16,512 (p8 a16 h8) 0.3 to 4 s, with every algorithm of a
// dragonfly: rlm, the costliest, has 6.0 million decisions, par 2.5, olm 6.2, par_ph 5.2, piar
// 5.6. If the packets that represent others may close a cycle, Check follows every packet. A test
// draws networks, failures, algorithms and maps of classes, also wrong ones, and compares with a
// walk of every packet.
//
// up_down, shortest and table are not Bulk: for them Check decides about 500 routers within the
// 10 million decisions that a node follows before a run (some seconds). Beyond that the run
// reports that it is not checked.
//
// # Left out
//
// Deadlocks of other causes than the order of channels: by protocols above the network, or by
// buffers that are too small for the messages.
//
// # Sources
//
// Dally and Seitz, "Deadlock-free message routing in multiprocessor interconnection networks",
// IEEE ToC 1987, theorem 1; optional hops: Duato, "A new theory of deadlock-free adaptive
// routing in wormhole networks", IEEE TPDS 1993.
package deadlock
