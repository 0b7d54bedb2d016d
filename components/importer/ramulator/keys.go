package ramulator

import (
	"strings"
	"unicode"

	"github.com/causeway-sim/causeway/components/importer"
)

const (
	hammer   = "RowHammer mitigations are not imported (key of the node: refresh.mitigation)"
	plugins  = "plugins are not read: " + hammer + "; command_trace: true writes the commands"
	resolved = "follows from the grade and timing"
	programs = "a run ends with its trace; limit of the node counts accesses"
	energy   = "currents are those of the grade (memory/dram, Energy)"
	probes   = "generators of requests are not read; see causeway list generators"
)

// keys are those of both versions, without the names of groups that both nest differently.
var keys = []importer.Key{
	{Name: "dram.impl", Ours: "grade"},
	{Name: "dram.org.preset", Ours: "size"},
	{Name: "dram.org.count", Ours: "channels, ranks"},
	{Name: "dram.org.channel", Ours: "channels"},
	{Name: "dram.org.rank", Ours: "ranks"},
	{Name: "dram.org.dq", Ours: "grade"},
	{Name: "dram.org.channel_width", Ours: "grade"},
	{Name: "dram.channel_width", Ours: "grade"},
	{Name: "dram.org.density", Why: "the size follows from the preset; size of the node sets another"},
	{Name: "dram.timing", Ours: "grade, timing"},
	{Name: "dram.timing.preset", Ours: "grade, timing"},
	{Name: "dram.timing.rate", Ours: "grade"},
	{Name: "dram.command_cycles", Why: resolved},
	{Name: "dram.read_latency", Why: resolved},
	{Name: "dram.timing_constraints.*", Why: "constraints are those of the standard, from the same timings"},
	{Name: "dram.drampower_enable", Why: energy, Same: []string{"false"}},
	{Name: "dram.power_debug", Why: energy, Same: []string{"false"}},
	{Name: "dram.voltage.preset", Why: energy},
	{Name: "dram.current.preset", Why: energy},
	{Name: "dram.RFM.BRC", Why: hammer},
	{Name: "dram.RH_radius", Why: hammer},
	{Name: "dram.PRAC", Why: hammer, Same: []string{"false"}},

	{Name: "controller.impl", Why: "one controller, first-ready; see controller.scheduler", Same: []string{"Generic", "GenericDDR", "HBM12", "HBM34", "LPDDR5"}},
	{Name: "controller.wr_low_watermark", Ours: "write_low"},
	{Name: "controller.wr_high_watermark", Ours: "write_high"},
	{Name: "controller.read_buffer_size", Ours: "read_queue"},
	{Name: "controller.write_buffer_size", Ours: "write_queue"},
	{Name: "controller.priority_buffer_size", Why: "maintenance never waits for room"},
	{Name: "controller.plugins.*", Why: plugins},
	{Name: "controller.controller_plugins.*", Why: plugins},
	{Name: "scheduler.impl", Ours: "scheduler"},
	{Name: "refresh_manager.impl", Ours: "refresh"},
	{Name: "refresh_manager.scatter_interval", Why: "ranks refresh in turn", Same: []string{"0"}},
	{Name: "refresh_manager.debug", Why: "command_trace: true writes all commands", Same: []string{"false"}},
	{Name: "row_policy.impl", Ours: "row_policy"},
	{Name: "row_policy.cap", Ours: "cap"},
	{Name: "addr_mapper.impl", Ours: "map"},
	{Name: "channel_mapper.impl", Why: "channels have the lowest bits of an address, or those of map", Same: []string{"CacheLineInterleave"}},
	{Name: "channel_mapper.interleave_bits", Why: "channels change with every burst", Same: []string{"0"}},
	{Name: "memory_system.impl", Why: hammer, Same: []string{"GenericDRAM"}},
	{Name: "memory_system.clock_ratio", Needed: true, Ours: "clock of the frontend"},

	{Name: "frontend.impl", Ours: "driver, or cpu and cache"},
	{Name: "frontend.clock_ratio", Needed: true, Ours: "clock of the frontend"},
	{Name: "frontend.path", Ours: "driver.trace"},
	{Name: "frontend.traces", Ours: "cpu.trace"},
	{Name: "frontend.ipc", Ours: "cpu.width"},
	{Name: "frontend.inst_window_depth", Ours: "cpu.window"},
	{Name: "frontend.llc_latency", Ours: "cache.latency"},
	{Name: "frontend.llc_linesize", Ours: "cache.line"},
	{Name: "frontend.llc_associativity", Ours: "cache.ways"},
	{Name: "frontend.llc_capacity_per_core", Ours: "cache.size"},
	{Name: "frontend.llc_num_mshr_per_core", Ours: "cache.mshrs"},
	{Name: "frontend.num_expected_insts", Why: programs},
	{Name: "frontend.num_max_cycles", Why: programs, Same: []string{"0"}},
	{Name: "frontend.nop_counter", Why: probes},
	{Name: "frontend.num_columns", Why: probes},
	{Name: "frontend.ratio_reads", Why: probes},
	{Name: "frontend.start_addr", Why: probes},
	{Name: "frontend.total_requests", Why: probes},
	{Name: "frontend.no_wait_traces", Why: "attackers of RowHammer are not modelled"},
	{Name: "translation.impl", Ours: "cpu.scatter"},
	{Name: "translation.max_addr", Ours: "cpu.scatter"},
	{Name: "translation.seed", Why: "pages are scattered by simulation.seed"},
	{Name: "translation.pagesize_KB", Why: "page of the cpu node is 4KiB", Same: []string{"4"}},
}

// name is the name of a setting in the table: groups have one spelling, and those of a controller
// stand alone, as in version 2.1 of which each controller has its own.
func name(path []string) string {
	var out []string
	for _, p := range path {
		switch p = snake(p); p {
		case "controllers":
			p = "controller"
		case "bhdramcontroller":
			p = "controller"
		case "bhscheduler":
			p = "scheduler"
		}
		out = append(out, p)
	}
	for len(out) > 1 {
		switch {
		case out[0] == "memory_system" && len(out) > 2, out[0] == "memory_system" && group(out[1]):
			out = out[1:]
			continue
		case out[0] == "frontend" && out[1] == "translation":
			out = out[1:]
			continue
		case out[0] == "controller" && digits(out[1]):
			out = append([]string{"controller"}, out[2:]...)
			continue
		case out[0] == "controller" && len(out) > 2 && group(out[1]):
			out = out[1:]
			continue
		}
		break
	}
	return strings.Join(out, ".")
}

func group(s string) bool {
	switch s {
	case "dram", "controller", "scheduler", "refresh_manager", "row_policy", "addr_mapper", "channel_mapper":
		return true
	}
	return false
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// snake spells the names of groups alike: RowPolicy and row_policy, DRAM and dram. Names of
// settings stay as they are.
func snake(s string) string {
	if s == "DRAM" || s == "BHDRAMController" || s == "BHScheduler" {
		return strings.ToLower(s)
	}
	if s == "" || !unicode.IsUpper(rune(s[0])) || strings.ToUpper(s) == s || strings.Contains(s, "_") {
		return s
	}
	var b strings.Builder
	for i, c := range s {
		if unicode.IsUpper(c) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}
