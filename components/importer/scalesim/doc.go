// Package scalesim imports configurations of SCALE-Sim v3: a .cfg and its topology file. The core
// has timing scalesim, which counts as the tool does in its mode CALC (accelerators/peers/scalesim).
//
// # Left out
//
// What the tool adds to its cycles in mode USER: stalls by bandwidth, by traces of Ramulator and by
// layouts of the SRAMs. The draft says so for each key.
//
// # Source
//
// scalesim/scale_config.py of github.com/scalesim-project/SCALE-Sim, commit 1d62b68: keys, sections
// and defaults.
package scalesim
