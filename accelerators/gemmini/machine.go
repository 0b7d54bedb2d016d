package gemmini

// A Machine is one generated accelerator with its memory and the software that drives it.
type Machine struct {
	// Dim is rows and columns of the array, elements of a scratchpad row, and rows of a block.
	Dim int
	// ScratchpadRows and AccumulatorRows are what the hardware has; a loop uses half of each.
	ScratchpadRows, AccumulatorRows int
	// ScratchpadBanks is the number of single-ported banks.
	ScratchpadBanks int
	// Loads, Executes and Stores are the entries of the reservation station.
	Loads, Executes, Stores int
	// LoadQueue, ExecuteQueue and StoreQueue are the queues of the three controllers.
	LoadQueue, ExecuteQueue, StoreQueue int
	// InFlight is requests of each of the two DMA engines without an answer.
	InFlight int
	// MaxBytes of a request and BusBytes of a beat.
	MaxBytes, BusBytes int
	Memory             Memory
	Software           Software
}

// A Memory is the shared cache, the last level cache and the DRAM.
type Memory struct {
	// Bytes, Ways and Line of the shared cache.
	Bytes, Ways, Line int
	// Misses in flight.
	Misses int
	// Hit is cycles from a request of the DMA to the first beat of its answer.
	Hit int
	// SameSet is cycles for which a hit holds its set.
	SameSet int
	// Bus is bytes per cycle to what is below.
	Bus   int
	Below Below
}

// A Below is the last level cache and its DRAM.
type Below struct {
	// Bytes, Ways and Block of the cache.
	Bytes, Ways, Block int
	// Misses in flight.
	Misses int
	// Latency of the DRAM, and cycles of a burst.
	Latency, Burst int
}

// Software is the library that makes the tiles, and the processor that runs it.
type Software struct {
	// ScratchpadRows and AccumulatorRows are the sizes that the library was compiled for.
	ScratchpadRows, AccumulatorRows int
	// Probe is processor cycles of one look whether a tile of a convolution fits.
	Probe int
	// Loop is processor cycles between two tiles.
	Loop int
	// Start is processor cycles before the first tile.
	Start int
}

// Default is the generator's default configuration.
func Default() Machine {
	return Machine{
		Dim: 16, ScratchpadRows: 16384, AccumulatorRows: 1024, ScratchpadBanks: 4,
		Loads: 8, Executes: 16, Stores: 4, LoadQueue: 8, ExecuteQueue: 8, StoreQueue: 2,
		InFlight: 16, MaxBytes: 64, BusBytes: 16,
		Memory: Memory{Bytes: 512 << 10, Ways: 8, Line: 64, Misses: 10, Hit: 40, SameSet: 6, Bus: 8,
			Below: Below{Bytes: 4 << 20, Ways: 8, Block: 128, Misses: 8, Latency: 40, Burst: 4}},
		Software: Software{ScratchpadRows: 16384, AccumulatorRows: 1024, Probe: 130, Loop: 200, Start: 300},
	}
}
