// Package hammer has defences of DRAM against row hammer, and counts what they keep apart.
//
// Activations of a row disturb its two neighbours. A Defence sees the activations of a channel and
// asks the controller to refresh neighbours, or to send an RFM command, in which the chip does. It
// may also read and write counters in memory (hydra), or delay rows (a Delayer, blockhammer). An
// Exposure counts, for each row, its activations and those of its neighbours since it was last
// refreshed: a defence holds while the greatest of the latter is below what the chip stands.
//
//	d, err := hammer.Setting{Mitigation: "para", Probability: 0.001}.New(hammer.Chip{Banks: 16, Rows: 1 << 16})
//	ask := d.Activated(bank, row, clock)
//
// Banks are numbered within a channel. Rows that a chip maps elsewhere, and disturbance beyond the
// next row, are left out. New returns an error for an unknown mitigation and impossible values.
//
// Sources: Kim et al., Flipping Bits in Memory Without Accessing Them, ISCA 2014 (PARA); Park et
// al., Graphene, MICRO 2020; Qureshi et al., Hydra, ISCA 2022; Yağlıkçı et al., BlockHammer, HPCA 2021; JESD79-5C (refresh management, PRAC with alert back-off).
package hammer
