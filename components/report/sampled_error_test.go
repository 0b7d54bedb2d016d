package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
)

// Errors are in percent of the full run's value, bytes are summed over elements, and what is 0
// in the full run alone has no error.
func TestSampledErrorTable(t *testing.T) {
	run := func(time, ttft, a, b, wrote float64) *result.Result {
		return &result.Result{Metrics: []stats.Metric{
			{Phase: "all", Name: "total_time", Unit: stats.NS, Value: time},
			{Phase: "all", Where: "Core[0]", Name: "read_bytes", Unit: stats.Byte, Value: a},
			{Phase: "all", Where: "Core[1]", Name: "read_bytes", Unit: stats.Byte, Value: b},
			{Phase: "warmup", Where: "Core[1]", Name: "read_bytes", Unit: stats.Byte, Value: 7},
			{Phase: "all", Where: "Mem", Name: "write_bytes", Unit: stats.Byte, Value: wrote},
			{Phase: "all", Where: "Mem", Name: "total_time", Unit: stats.NS, Value: 1},
			{Phase: "all", Where: "Serve", Name: "ttft_mean", Unit: stats.NS, Value: ttft},
		}}
	}
	tab, text := SampledError(&experiment.SampledError{Case: "layers 0..3, 4 of 12", Taken: 2, Full: run(200, 50, 300, 100, 0), Sampled: run(199, 50, 300, 108, 8)})
	require.Equal(t, "where,name,unit,full,sampled,error_percent\n,total_time,ns,200,199,-0.5\nCore,read_bytes,B,400,408,2\nMem,write_bytes,B,0,8,\nServe,ttft_mean,ns,50,50,0\n", string(result.TableCSV(tab)))
	require.Equal(t, "A small case (layers 0..3, 4 of 12), run in full and sampled (--sampled-error), which took layers or a step 2 times as equal, is off by: total_time 0.5 %, ttft_mean 0 %; Core read_bytes by most, 2 %.", text)
}
