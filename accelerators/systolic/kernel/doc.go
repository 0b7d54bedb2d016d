// Package kernel is a core that takes each operator as one kernel that a compiler has made of it.
//
// accelerators/tensorcore says what a kernel takes; a [Core] carries operators out one after the
// other, with the nominal bandwidth of the memory behind its link, and sends that memory nothing:
// [Core.Unsent] says what it would have sent. [Library] is how a library of kernels uses a chip.
// Package systolic makes one where its key timing is kernel, and refuses keys of other timings.
//
// A [Tile] is the same core at fidelity tile: the bytes of a kernel go as bursts to the memory
// (accelerators/work/streamed), and it takes what tensorcore says with the bandwidth that they got.
//
// Times are in cycles of the core, sizes in bytes.
package kernel
