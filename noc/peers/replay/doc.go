// Package replay plays schedules of noc/collective on packets, and those of other programs
// step by step as they write them, and compares: ASTRA-sim's ring, the published artifact
// of TTO and RingBiOdd (HPCA 2024), and reductions on a wafer. It holds tests and their
// figures alone, so that noc/collective needs no network.
package replay
