// Package ecc has error correction of a DRAM channel: which bursts the controller moves for it.
//
// With side-band ECC check bits have pins and chips of their own. With inline ECC they lie in the memory itself: one
// burst has those of eight bursts of data, and Lines are the bursts of check bits that the controller holds. A
// read of data needs its check bits, a write changes them, and a changed burst that is replaced is written. Reads of check bits
// that are on their way are Pending, and reads of data wait for them. A Walker names the bursts of the scrubber.
//
//	l := ecc.NewLines(ecc.Geometry{Banks: 16, Rows: 65536, Columns: 128}, 16)
//	i, hit, out := l.Use(l.Of(bank, row, column), write)
//
// Left out: errors themselves and their correction, so that a scrubber reads and never writes; what chips correct inside (on-die), which
// takes no command of the controller; and the capacity that check bits take, which addresses do not leave out.
//
// Source: AMD PG313, Versal network on chip and memory controller: inline ECC of one burst for eight.
package ecc
