package goal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/comm/commtest"
)

const goalText = `num_ranks 2
/* two
   ranks */ rank 0 {
a: calc 100 cpu 1
b: send 8b to 1 tag 3 // comment
b requires a
c: recv 16 b from -1 tag -1 cpu 0 nic 0
c irequires b
}
rank 1 { calc 5 }
`

func TestGOAL(t *testing.T) {
	p, err := commtest.Load(t, map[string]string{"x.goal": goalText}, "x.goal")
	require.NoError(t, err)
	require.Equal(t, "0 compute 100ns unit 1\n1 send of 8B to rank 1, tag 3, after 0\n2 recv of 16B from any rank, any tag, with 1\n", commtest.Dump(&p.Ranks[0]))
	require.Equal(t, "0 compute 5ns\n", commtest.Dump(&p.Ranks[1]))
}

func TestGOALErrors(t *testing.T) {
	for text, want := range map[string]string{
		"num_ranks 0\n":                                                              `x:1: num_ranks: "0" is no number from 1 to 1048576`,
		"num_ranks 2\nrank 2 {\n}\n":                                                 `x:2: rank: "2" is no number from 0 to 1`,
		"num_ranks 2\nrank 0 {\nsend 8 to 1\n}\n":                                    `x:3: send: "8" is no size (want a whole number and b)`,
		"num_ranks 2\nrank 0 {\nsend 8b from 1\n}\n":                                 `x:3: send: want to and a rank, not "from"`,
		"num_ranks 2\nrank 0 {\nsend 8b to -1\n}\n":                                  `x:3: send: "-1" is no number from 0 to 1048575`,
		"num_ranks 2\nrank 0 {\nl1: jump 8\n}\n":                                     `x:3: "jump" is no operation (want send, recv or calc)`,
		"num_ranks 2\nrank 0 {\nl1: calc 8\nl1: calc 8\n}":                           `x:4: label l1 is there twice`,
		"num_ranks 2\nrank 0 {\nl1: calc 8\n":                                        `x:3: the file ends inside a rank, which begins in line 2`,
		"num_ranks 2\nrank 0 {\nl: calc 8\nl requires m\n}":                          `x:4: there is no label "m" in this rank`,
		"num_ranks 2\nrank 0 {\n}\nrank 0 {\n}\n":                                    `x:4: rank 0 is there twice`,
		"num_ranks 2\n}\n":                                                           `x:2: } without a rank`,
		"num_ranks 2\n/* no end\n":                                                   `x:2: the file ends inside a comment`,
		"num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}": `x: rank 0: operation 0 (compute) waits for itself`,
		"": `x: the file is empty`,
	} {
		_, err := commtest.Load(t, map[string]string{"x": text}, "x")
		require.EqualError(t, err, want)
	}
}

func FuzzGOAL(f *testing.F) {
	f.Add([]byte(goalText))
	commtest.Fuzz(f, "goal")
}
