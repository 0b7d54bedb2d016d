// Package flit packs messages of CXL.mem, CXL.cache and CXL.io into flits, and reads them back,
// bit by bit. It has no time, no credits of its own and no retry; see memory/cxl/link.
//
//	p := flit.NewPacker(flit.Flit68, flit.Up, flit.DefaultLimits(flit.Flit68))
//	p.Push(flit.Message{Class: flit.S2MDRS, Tag: 7})
//	for p.Pack(&f) { ... }
//
// # Rules of packing
//
// Slot 0 of a flit holds messages only. The data of a message, 4 slots and a fifth for byte
// enables, follow its header in the slots that can hold data, in the order of headers, and
// continue in the next flit (rollover). A flit of 68 B that would begin with 4 or more such slots
// has no header (all-data flit); the receiver infers that by counting. Limits bound the messages
// of a class per flit.
//
// The specification leaves priority open. Here data precede new headers, and a free slot goes to
// the oldest message with a credit, in the format that carries the most bits with it, then the
// most of its class, then the lowest code. So no class starves. One exception: if more DRS than
// NDR wait, two NDR take slot 0 and leave the next slot, which holds three, to DRS.
//
// # Steady state
//
// Lines per byte of link, data only, when messages wait all the time:
//
//	68 B, DRS, 1 per flit     64 B in 5 slots of 17 B            75.3%
//	68 B, DRS                 2 headers in slot 0: 9 slots of 17 B  83.7%
//	68 B, DRS and NDR, 1:1    one of each in slot 0: 5 slots of 17 B 75.3%
//	68 B, DRS and NDR, 3:2    2 NDR in slot 0, 3 DRS behind: 14 slots  80.7%
//	68 B, RwD                 1 per flit                         75.3%
//	256 B, DRS                2 in slot 0, then 3 per slot: 14 = 4L + (L-2)/3,
//	                          L = 44/13 lines per flit           84.6%
//	256 B, RwD                L = 3 lines per flit               75.0%
//	latency, DRS              13 slots of data, headers in 0 and 8  81.3%
//
// If slot 0 could hold three DRS, flits of 68 B would reach 192 B in 13 slots, 86.9%.
//
// # Sources
//
// Compute Express Link, revision 2.0, sections 3.2, 3.3, 4.2 (68 B) and 3.1, section 4.3 (256 B);
// PCI Express 6.0, section 4.2.3 (CRC, FEC). Positions of the fields of 68 B flits agree with
// public decoders. Without a public source, and marked assumption, are the codes and selections
// of formats in 256 B flits, the order of bits in check codes, and the limits per 128 B. Sizes of
// messages and slots, which determine throughput, have sources.
//
// # Left out
//
// Lines of 32 B (chunk valid has no effect), integrity and encryption (H6), trailers other than
// byte enables, control flits of the link layer.
//
// Unpack and ReadTLP return errors for malformed bytes. Push panics for a class that the
// direction or mode does not have.
//
// # Deviations
//
//  1. Empty slots in 256 B flits have a code of their own in place of messages that
//     are not valid.
//  2. The credits of back-invalidate channels have the fourth field of four bits
//     in the credit bytes of 256 B flits.
package flit
