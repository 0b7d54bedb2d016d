package experiment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// Requests that chance makes: as many as the probability says in the mean, others with
// another seed, each after the request of its own number; all that are made are served, as
// the checks of the run say.
func TestProbability(t *testing.T) {
	text := `
workloads:
  - {name: word, file: encoder/config.json, sequence: 8, dtype: int8, arrivals: {name: periodic, period: 100us}, frames: 60}
  - {name: speech, file: encoder/config.json, sequence: 16, dtype: int8, arrivals: {name: periodic, period: 100us}, frames: 60, after: word, probability: 0.3}
nodes:
  - {name: Schedule, kind: schedule}
  - {name: Core, kind: roofline, compute: 300GFLOP/s, memory: 20GB/s}
links: [Schedule -> Core]
`
	seen := map[string]bool{}
	made := 0.0
	for _, seed := range []string{"1", "2", "3", "4", "5"} {
		r, err := scheduled(t, text, experiment.Options{Set: []string{"simulation.seed=" + seed}})
		require.NoError(t, err)
		again, err := scheduled(t, text, experiment.Options{Set: []string{"simulation.seed=" + seed}, Engine: "shuffle:3"})
		require.NoError(t, err)
		require.Equal(t, string(result.TableCSV(r.Requests)), string(result.TableCSV(again.Requests)))
		end := map[float64]float64{}
		for _, row := range r.Requests.Rows {
			if row[1] == "word" {
				end[row[2].(float64)] = row[4].(float64)
			} else {
				require.GreaterOrEqual(t, row[3].(float64), end[row[2].(float64)], "after the word of the same number")
			}
		}
		n, _ := r.MetricIn("workload:speech", "Schedule", "requests")
		made += n.Value
		seen[string(result.TableCSV(r.Requests))] = true
	}
	require.Len(t, seen, 5)
	require.InDelta(t, 0.3*300, made, 5*8, "five standard deviations of a binomial of 300")
	none, err := scheduled(t, text, experiment.Options{Set: []string{"workloads.speech.probability=0"}})
	require.NoError(t, err)
	require.Len(t, none.Requests.Rows, 60)
	for set, want := range map[string]string{
		"workloads.speech.probability=1.5": "workloads.speech.probability: 1.5 is too large (want at most 1)",
		"workloads.speech.frames=59":       "workloads.speech.after: speech has 59 requests and word 60 (want as many)",
		"workloads.word.probability=0.5":   "workloads.speech.after: word is not there for every request: it has a probability",
	} {
		_, err := scheduled(t, text, experiment.Options{Set: []string{set}})
		require.ErrorContains(t, err, want)
	}
}
