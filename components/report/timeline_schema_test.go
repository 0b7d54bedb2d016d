package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/task"
)

type reporter struct {
	name string
	src  task.Source
}

func (r *reporter) Name() string        { return r.name }
func (r *reporter) Tasks() *task.Source { return &r.src }

type noTime struct{}

func (noTime) CurrentTime() sim.VTimeInSec { return 0 }

// The timeline holds to the schema of the format that Perfetto reads, with names that JSON
// must quote, with steps, and without any task.
func TestTimelineHoldsToItsSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("testdata/trace_event.schema.json")
	require.NoError(t, err)
	check := func(text []byte) error {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		require.NoError(t, err)
		return schema.Validate(v)
	}
	var out bytes.Buffer
	line, a, b := NewTimeline(&out), &reporter{name: "Core[0]"}, &reporter{name: "Mem"}
	s := task.NewStream(noTime{}, []task.Reporter{a, b}, line)
	layer := a.src.Begin(1e-9, task.Layer, a.src.What(`conv "1" <\>`), 0, 0)
	access := b.src.Begin(2e-9, task.Memory, task.Read, layer, 64)
	b.src.Step(3e-9, access, task.Hit)
	b.src.End(4.1e-9, access)
	a.src.Begin(5e-9, task.Compute, 0, layer, 0) // without a text, and it never ends
	c := b.src.Begin(3.5e-9, task.Memory, task.Write, layer, 64)
	d := b.src.Begin(4.2e-9, task.Memory, task.Write, layer, 0) // in the nanosecond in which the read ends
	b.src.End(5e-9, c)
	b.src.End(5e-9, d)
	a.src.End(6e-9, layer)
	s.Close()
	require.NoError(t, line.Close())
	require.NoError(t, check(out.Bytes()))
	text := out.String()
	for want, n := range map[string]int{
		`"ph":"X"`: 5, `"ph":"i"`: 1, `"name":"process_name"`: 2, `"name":"thread_name"`: 5,
		`"args":{"name":"memory 3"}`: 1, // three lanes, as Perfetto rounds to nanoseconds
		`"unfinished":true`:          1,
		`{"ph":"C","name":"memory bandwidth","pid":1,"ts":0.002000,"args":{"GB/s":30.4762}}`: 1, // 64 B over 2.1 ns
		`{"ph":"C","name":"memory under way","pid":1,"ts":0.004000,"args":{"tasks":1.9}}`:    1, // 1 ns of c, 0.8 ns of d, 0.1 ns of the read
		`{"ph":"C","name":"memory under way","pid":1,"ts":0.006000,"args":{"tasks":0}}`:      0, // it is 0 from 5 ns on
		`"ts":0.003500,"dur":0.001500`: 1,
	} {
		require.Equal(t, n, strings.Count(text, want), "%s\n%s", want, text)
	}

	broken := bytes.Replace(out.Bytes(), []byte(`"ph":"X"`), []byte(`"ph":"B"`), 1)
	require.Error(t, check(broken), "the schema tells kinds of events apart")
	broken = bytes.Replace(out.Bytes(), []byte(`"ts":`), []byte(`"time":`), 1)
	require.Error(t, check(broken))

	broken = bytes.Replace(out.Bytes(), []byte(`"args":{"tasks":`), []byte(`"arg":{"tasks":`), 1)
	require.Error(t, check(broken))

	out.Reset()
	require.NoError(t, NewTimeline(&out).Close())
	require.NoError(t, check(out.Bytes()))
}

// Bins of counters that the run outgrows are joined, and nothing of what they hold is lost.
func TestCountersKeepTheirSums(t *testing.T) {
	var c counters
	k := track{0, task.Memory}
	var busy, bytes float64
	for i := range int64(3000) {
		begin := i * 777
		c.add(k, begin, begin+2000*(1+i%5), 100)
		busy, bytes = busy+float64(2000*(1+i%5)), bytes+100
	}
	c.add(k, 4_000_000, 4_000_000, 7) // no time at all
	var got load
	for _, l := range c.of[k] {
		got.busy, got.bytes = got.busy+l.busy, got.bytes+l.bytes
	}
	require.EqualValues(t, 8000, c.width, "512 bins of 8 ns hold 4 us")
	require.InDelta(t, busy, got.busy, 1e-3)
	require.InDelta(t, bytes+7, got.bytes, 1e-6)
}
