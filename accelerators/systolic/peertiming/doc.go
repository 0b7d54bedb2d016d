// Package peertiming has cores whose layers take what another program or a paper counts: SCALE-Sim,
// the performance sheet of NVDLA, and the processing passes of Eyeriss.
//
// The counts are those of accelerators/peers. Each core takes whole workloads before the run, takes
// no single operators, asks no memory for anything, and has the columns of its source in its table
// of layers. Package systolic makes one where its key timing asks for it, and refuses the keys that
// have no effect.
package peertiming
