package scalesim

import "github.com/causeway-sim/causeway/components/importer"

const (
	layouts  = "layouts of the SRAMs and their bank conflicts are not modelled"
	stalls   = "stalls of mode USER are not modelled with timing scalesim; timing physical with a memory node has stalls of its own"
	requests = "requests under way matter for the tool's Ramulator traces alone; here dma.outstanding with timing physical"
)

// keys are those of the tool; names are compared without regard to upper and lower case. Needed are
// those that the tool reads without a default.
var keys = []importer.Key{
	{Name: "run_name", Needed: true, Why: "names the tool's folder of results; here run --out does"},

	{Name: "ArrayHeight", Needed: true, Ours: "rows"},
	{Name: "ArrayWidth", Needed: true, Ours: "cols"},
	{Name: "IfmapSramSzkB", Needed: true, Ours: "sram.ifmap"},
	{Name: "FilterSramSzkB", Needed: true, Ours: "sram.filter"},
	{Name: "OfmapSramSzkB", Needed: true, Ours: "sram.ofmap"},
	{Name: "Dataflow", Needed: true, Ours: "dataflow"},
	{Name: "TopologyCsvLoc", Ours: "workload.file"},
	{Name: "InterfaceBandwidth", Needed: true, Ours: "timing: scalesim"},
	{Name: "Bandwidth", Why: stalls},

	{Name: "IfmapOffset", Needed: true, Why: "addresses are given out by the run"},
	{Name: "FilterOffset", Needed: true, Why: "addresses are given out by the run"},
	{Name: "OfmapOffset", Needed: true, Why: "addresses are given out by the run"},
	{Name: "ReadRequestBuffer", Needed: true, Why: requests},
	{Name: "WriteRequestBuffer", Needed: true, Why: requests},
	{Name: "MemoryBanks", Why: "the tool does not read it", Same: []string{"1"}},
	{Name: "OnChipMemoryBanks", Why: "the tool does not read it", Same: []string{"1"}},
	{Name: "OnChipMemoryBankPorts", Why: "the tool does not read it"},
	{Name: "UseRamulatorTrace", Needed: true, Why: "latencies of the tool's Ramulator traces are not read; a memory node of fidelity bank with timing physical has its own", Same: []string{"False"}},

	{Name: "IfmapCustomLayout", Needed: true, Why: layouts, Same: []string{"False"}},
	{Name: "FilterCustomLayout", Needed: true, Why: layouts, Same: []string{"False"}},
	{Name: "IfmapSRAMBankBandwidth", Needed: true, Why: layouts},
	{Name: "IfmapSRAMBankNum", Needed: true, Why: layouts},
	{Name: "IfmapSRAMBankPort", Needed: true, Why: layouts},
	{Name: "FilterSRAMBankBandwidth", Needed: true, Why: layouts},
	{Name: "FilterSRAMBankNum", Needed: true, Why: layouts},
	{Name: "FilterSRAMBankPort", Needed: true, Why: layouts},

	{Name: "SparsitySupport", Needed: true, Ours: "column Sparsity of the topology file"},
	{Name: "SparseRep", Why: "formats of compressed weights count storage alone, which is in no metric here"},
	{Name: "OptimizedMapping", Why: "sparsity that is drawn for each row is not modelled", Same: []string{"false", "False"}},
	{Name: "BlockSize", Why: "belongs to OptimizedMapping"},
	{Name: "RandomNumberGeneratorSeed", Why: "belongs to OptimizedMapping"},
}
