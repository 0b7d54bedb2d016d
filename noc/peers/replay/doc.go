// Package replay has only tests: they run schedules of noc/collective on noc/channel and compare
// with other programs: ASTRA-sim's ring, the published artifact of TTO and RingBiOdd (HPCA 2024),
// and reductions on a wafer. They are here so that noc/collective imports no network.
package replay
