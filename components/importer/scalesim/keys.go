package scalesim

import "github.com/causeway-sim/causeway/components/importer"

const (
	layouts  = "layouts of the SRAMs and their bank conflicts are not modelled"
	stalls   = "stalls of mode USER are not modelled with timing scalesim; timing physical with a memory node has stalls of its own"
	requests = "requests under way matter for the tool's Ramulator traces alone; here dma.outstanding with timing physical"
)

// keys are those of the tool; names are compared without regard to upper and lower case.
var keys = []importer.Key{
	{Name: "run_name", Why: "names the tool's folder of results; here run --out does"},

	{Name: "ArrayHeight", Ours: "rows"},
	{Name: "ArrayWidth", Ours: "cols"},
	{Name: "IfmapSramSzkB", Ours: "sram.ifmap"},
	{Name: "FilterSramSzkB", Ours: "sram.filter"},
	{Name: "OfmapSramSzkB", Ours: "sram.ofmap"},
	{Name: "Dataflow", Ours: "dataflow"},
	{Name: "TopologyCsvLoc", Ours: "workload.file"},
	{Name: "InterfaceBandwidth", Ours: "timing: scalesim"},
	{Name: "Bandwidth", Why: stalls},

	{Name: "IfmapOffset", Why: "addresses are given out by the run"},
	{Name: "FilterOffset", Why: "addresses are given out by the run"},
	{Name: "OfmapOffset", Why: "addresses are given out by the run"},
	{Name: "ReadRequestBuffer", Why: requests},
	{Name: "WriteRequestBuffer", Why: requests},
	{Name: "MemoryBanks", Why: "the tool does not read it", Same: []string{"1"}},
	{Name: "OnChipMemoryBanks", Why: "the tool does not read it", Same: []string{"1"}},
	{Name: "OnChipMemoryBankPorts", Why: "the tool does not read it"},
	{Name: "UseRamulatorTrace", Why: "latencies of the tool's Ramulator traces are not read; a memory node of fidelity bank with timing physical has its own", Same: []string{"False"}},

	{Name: "IfmapCustomLayout", Why: layouts, Same: []string{"False"}},
	{Name: "FilterCustomLayout", Why: layouts, Same: []string{"False"}},
	{Name: "IfmapSRAMBankBandwidth", Why: layouts},
	{Name: "IfmapSRAMBankNum", Why: layouts},
	{Name: "IfmapSRAMBankPort", Why: layouts},
	{Name: "FilterSRAMBankBandwidth", Why: layouts},
	{Name: "FilterSRAMBankNum", Why: layouts},
	{Name: "FilterSRAMBankPort", Why: layouts},

	{Name: "SparsitySupport", Ours: "column Sparsity of the topology file"},
	{Name: "SparseRep", Why: "formats of compressed weights count storage alone, which is in no metric here"},
	{Name: "OptimizedMapping", Why: "sparsity that is drawn for each row is not modelled", Same: []string{"false", "False"}},
	{Name: "BlockSize", Why: "belongs to OptimizedMapping"},
	{Name: "RandomNumberGeneratorSeed", Why: "belongs to OptimizedMapping"},
}
