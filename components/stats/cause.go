package stats

import (
	"image/color"
	"slices"
)

// A Cause is one use of the cycles of a core, with the name of its metric, its phrase in sentences
// and its colour in figures.
type Cause struct {
	Metric string // "stall_store_cycles"
	// Words follow "cores spend most cycles"; "" for a part of another cause, which
	// no sum counts again.
	Words string
	Color color.RGBA
}

// Causes lists the causes in the order in which figures stack them. The colours are distinct for
// colour-blind readers, on white and on black (Okabe and Ito, Color Universal Design, 2008). Parts
// of compute are blue, lighter for less useful work; causes that are neither work nor memory are
// grey.
var Causes = []Cause{
	{"useful_cycles", "", color.RGBA{0x00, 0x72, 0xb2, 255}},
	{"vector_cycles", "", color.RGBA{0x00, 0x3f, 0x63, 255}},
	{"mapping_loss_cycles", "", color.RGBA{0xc3, 0xdc, 0xee, 255}},
	{"fill_cycles", "", color.RGBA{0x4f, 0x9f, 0xd0, 255}},
	{"drain_cycles", "", color.RGBA{0x8a, 0xbf, 0xe2, 255}},
	{ComputeCycles, "computing", color.RGBA{0x00, 0x72, 0xb2, 255}},
	{"stall_wait_ifmap_cycles", "waiting for input data from memory", color.RGBA{0xe6, 0x9f, 0x00, 255}},
	{"stall_wait_filter_cycles", "waiting for weights from memory", color.RGBA{0xd5, 0x5e, 0x00, 255}},
	{"stall_memory_cycles", "waiting for memory", color.RGBA{0xd5, 0x5e, 0x00, 255}},
	{"stall_latency_cycles", "waiting for latencies inside kernels", color.RGBA{0xf0, 0xe4, 0x42, 255}},
	{"stall_wait_ofmap_cycles", "waiting for partial sums from memory", color.RGBA{0xcc, 0x79, 0xa7, 255}},
	{"stall_store_cycles", "waiting for results to leave to memory", color.RGBA{0x00, 0x9e, 0x73, 255}},
	{DependencyCycles, "waiting for other cores", color.RGBA{0x8c, 0x8c, 0x8c, 255}},
	{"stall_shift_cycles", "waiting for weights to be shifted into the array", color.RGBA{0x92, 0x49, 0x00, 255}},
	{"stall_operand_cycles", "waiting for results of the operator before", color.RGBA{0x6b, 0x6b, 0x6b, 255}},
	{"stall_overhead_cycles", "launching operators", color.RGBA{0x56, 0xb4, 0xe9, 255}},
	{IdleCycles, "idle before a workload arrives", color.RGBA{0xbb, 0xbb, 0xbb, 255}},
	{"stall_network_cycles", "waiting for messages and collectives of other chips", OtherCause},
}

// Metrics of causes that are read by name, and the prefix of all stalls.
const (
	ComputeCycles    = "compute_cycles"
	DependencyCycles = StallPrefix + "dependency_cycles"
	IdleCycles       = "idle_cycles"
	StallPrefix      = "stall_"
)

// OtherCause is the colour of a cause that is not in the list.
var OtherCause = color.RGBA{0xf0, 0xe4, 0x42, 255}

// CauseIndex returns the index of the cause with that metric in Causes, or len(Causes).
func CauseIndex(metric string) int {
	if i := slices.IndexFunc(Causes, func(c Cause) bool { return c.Metric == metric }); i >= 0 {
		return i
	}
	return len(Causes)
}
