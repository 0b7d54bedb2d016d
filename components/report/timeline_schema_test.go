package report

import (
	"bytes"
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
	b.src.End(4e-9, access)
	a.src.Begin(5e-9, task.Compute, 0, layer, 0) // without a text, and it never ends
	a.src.End(6e-9, layer)
	s.Close()
	require.NoError(t, line.Close())
	require.NoError(t, check(out.Bytes()))
	require.Equal(t, 8, bytes.Count(out.Bytes(), []byte(`"ph"`)))

	broken := bytes.Replace(out.Bytes(), []byte(`"ph":"b"`), []byte(`"ph":"B"`), 1)
	require.Error(t, check(broken), "the schema tells kinds of events apart")
	broken = bytes.Replace(out.Bytes(), []byte(`"ts":`), []byte(`"time":`), 1)
	require.Error(t, check(broken))

	out.Reset()
	require.NoError(t, NewTimeline(&out).Close())
	require.NoError(t, check(out.Bytes()))
}
