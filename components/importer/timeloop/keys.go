package timeloop

import (
	"strings"

	"github.com/causeway-sim/causeway/components/importer"
)

const (
	mapper  = "how long the tool's mapper searches; search.evaluations counts mappings"
	prints  = "output of the tool"
	printed = "settings of the front end"
)

// keys are the sections of an input, whose content the reader of the node accounts for, and those
// of the mapper.
var keys = withDashes([]importer.Key{
	{Name: "architecture", Ours: "input_file"},
	{Name: "problem", Ours: "input_file or problem_file"},
	{Name: "mapping", Ours: "input_file or mapping_file"},
	{Name: "constraints", Ours: "input_file or constraints_file"},
	{Name: "architecture_constraints", Ours: "input_file or constraints_file"},
	{Name: "mapspace_constraints", Ours: "input_file or constraints_file"},
	{Name: "mapspace", Ours: "input_file or constraints_file"},
	{Name: "sparse_optimizations", Ours: "input_file"},
	{Name: "ERT", Ours: "ert_file"},
	{Name: "ART", Ours: "art_file"},
	{Name: "mapper.algorithm", Ours: "search.algorithm"},
	{Name: "mapper.optimization_metrics", Ours: "search.objective"},
	{Name: "mapper.optimization_metric", Ours: "search.objective"},

	{Name: "mapper.version", Why: "of the file", Same: []string{"0.4"}},
	{Name: "mapper.victory_condition", Why: mapper},
	{Name: "mapper.timeout", Why: mapper},
	{Name: "mapper.search_size", Why: mapper},
	{Name: "mapper.sync_interval", Why: mapper},
	{Name: "mapper.num_threads", Why: "a search takes no thread of its own"},
	{Name: "mapper.live_status", Why: prints},
	{Name: "mapper.diagnostics", Why: prints},
	{Name: "mapper.log_stats", Why: prints},
	{Name: "mapper.log_suboptimal", Why: prints},
	{Name: "mapper.log_all", Why: prints},
	{Name: "mapper.emit_whoop_nest", Why: prints},
	{Name: "mapper.out_prefix", Why: prints},
	{Name: "mapper.max_permutations_per_if_visit", Why: mapper},
	{Name: "mapper.max_temporal_loops_in_a_mapping", Why: mapper},
	{Name: "mapper.filter_revisits", Why: mapper},
	{Name: "mapper.penalize_consecutive_bypass_fails", Why: mapper},
	{Name: "mapper.heartbeat", Why: prints},
	{Name: "mapper.log_interval", Why: prints},
	{Name: "mapper.log_all_mappings", Why: prints},
	{Name: "mapper.log_mappings_verbose", Why: prints},
	{Name: "mapper.log_mappings_yaml", Why: prints},
	{Name: "mapper.log_orojenesis_mappings", Why: prints},
	{Name: "layout", Why: "layouts of data in buffers are not modelled"},
	{Name: "variables", Why: printed},
	{Name: "globals", Why: printed},
	{Name: "compound_components", Why: "energies are those of the ERT, or of energy.process"},
	{Name: "dumped_by_timeloop_front_end", Why: printed},
})

// withDashes adds the older spelling of the mapper's keys, such as victory-condition.
func withDashes(keys []importer.Key) []importer.Key {
	for _, k := range keys {
		if name, ok := strings.CutPrefix(k.Name, "mapper."); ok && strings.Contains(name, "_") {
			k.Name = "mapper." + strings.ReplaceAll(name, "_", "-")
			keys = append(keys, k)
		}
	}
	return keys
}
