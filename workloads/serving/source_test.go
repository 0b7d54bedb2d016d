package serving

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
)

func TestRead(t *testing.T) {
	for name, text := range map[string]string{
		"a.csv":   "arrived_at,num_prefill_tokens,num_decode_tokens\n2.5,30,4\n1.0,374,44\n",
		"b.csv":   "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.0000000,374,44\n2023-11-16 18:17:04.5000000,30,4\n",
		"c.jsonl": `{"input_toks":374,"output_toks":44,"arrival_time_ns":7}` + "\n\n" + `{"input_toks":30,"output_toks":4,"arrival_time_ns":1500000007}` + "\n",
	} {
		got, err := Read(name, []byte(text))
		require.NoError(t, err, name)
		require.Equal(t, []Request{{Prompt: 374, Output: 44}, {Prompt: 30, Output: 4, Arrival: 1500 * units.Millisecond}}, got, name)
	}
	onnxim, err := Read("e.csv", []byte("time, prompt_length, target_length, cached_length\n0, 100, 16, 0\n100, 1, 15, 237\n"))
	require.NoError(t, err)
	require.Equal(t, []Request{{Prompt: 100, Output: 16}, {Prompt: 238, Output: 15, Cached: 237, Arrival: 100 * units.Nanosecond}}, onnxim)
	prefixed, err := Read("f.csv", []byte("arrived_at,prompt_tokens,output_tokens,prefix,prefix_tokens\n0,100,16,chat,64\n1,30,4,,0\n"))
	require.NoError(t, err)
	require.Equal(t, []Request{{Prompt: 100, Output: 16, Prefix: "chat", Shared: 64}, {Prompt: 30, Output: 4, Arrival: units.Second}}, prefixed)
	got, err := Read("d.jsonl", []byte(`{"input_toks":2,"output_toks":1,"arrival_time_ns":0,"input_tok_ids":[5,6],"output_tok_ids":[7],"request_id":"x"}`))
	require.NoError(t, err)
	require.Equal(t, []Request{{Name: "x", Prompt: 2, Output: 1, Tokens: []int32{5, 6, 7}}}, got)
}

func TestBadFiles(t *testing.T) {
	for text, want := range map[string]string{
		"":   "f:1:1: holds no request",
		"{}": "f:1:1: does not say input_toks",
		"arrived_at,num_prefill_tokens,num_decode_tokens\n":                       "f:1:1: holds no request",
		"arrived_at,num_prefill_tokens,num_decode_tokens\n0,1\n":                  "f:2:1: wrong number of fields",
		"arrived_at,num_prefill_tokens,num_decode_tokens\n0,0,1\n":                `f:2:3: "0" is no number of tokens`,
		"arrived_at,num_prefill_tokens,num_decode_tokens\n-1,1,1\n":               `f:2:1: "-1" is no time`,
		"arrived_at,num_prefill_token\n":                                          `f:1:12: unknown column "num_prefill_token"`,
		"arrived_at,arrived_at,num_prefill_tokens\n":                              `f:1:12: column "arrived_at": there is one of its kind already`,
		"arrived_ad,num_prefill_tokens\n":                                         `did you mean "arrived_at"?`,
		"arrived_at,num_prefill_tokens\n":                                         "f:1:1: does not say output_toks",
		"input_toks,output_toks\n":                                                "f:1:1: does not say when requests arrive",
		`{"input_toks":1,"output_toks":1,"arrival_time_ns":0,"model":"x"}`:        `f:1:53: unknown key "model"`,
		`{"input_toks":1,"output_toks":1,"arrival_time_ns":0,"input_tok_ids":5}`:  "f:1:53: input_tok_ids: ",
		`{"input_toks":3,"output_toks":1,"arrival_time_ns":0,"input_tok_ids":[]}`: "f:1:1: 0 tokens are listed of a prompt of 3",
		`{"input_toks":1,"Input_toks":1,"output_toks":1,"arrival_time_ns":0}`:     `says again what another key does`,
		"arrived_at,prompt_tokens,output_tokens,prefix_tokens\n0,5,1,6\n":         "f:2:1: 6 of 5 tokens of the prompt are shared",
		"arrived_at,prompt_tokens,output_tokens,prefix\n0,5,1,a\n":                "f:1:1: says prefix, and not how many tokens it has (prefix_tokens)",
		"{\n": "f:1:1: no object of JSON",
	} {
		_, err := Read("f", []byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

// Files of others, with the counts that their publishers and the files themselves give.
func TestInputs(t *testing.T) {
	dir := os.Getenv("CAUSEWAY_INPUTS")
	if dir == "" {
		dir = "../../../shared/inputs"
	}
	for name, want := range map[string]struct{ n, prompt, output int }{
		"llm/vllm/rtx4090_llama31_8b.requests.jsonl": {300, 257239, 195753},
		"llm/splitwise_code.csv":                     {8819, 18059974, 245896},
		"llm/example_trace.jsonl":                    {10, 0, 0},
	} {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err != nil {
			t.Logf("skipped %s: not there", name)
			continue
		}
		got, err := ReadFile(path)
		require.NoError(t, err)
		n, p, o := len(got), 0, 0
		for i, r := range got {
			p, o = p+r.Prompt, o+r.Output
			if i > 0 {
				require.GreaterOrEqual(t, r.Arrival, got[i-1].Arrival)
			}
		}
		if want.prompt > 0 {
			require.Equal(t, want, struct{ n, prompt, output int }{n, p, o}, name)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("arrived_at,num_prefill_tokens,num_decode_tokens\n0,1,1\n"))
	f.Add([]byte(`{"timestamp":5,"input_length":600,"output_length":1,"hash_ids":[0,1]}`))
	f.Add([]byte(`{"input_toks":2,"output_toks":1,"arrival_time_ns":0,"input_tok_ids":[5,6]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := Read("f", b)
		if err != nil {
			require.Contains(t, err.Error(), "f:")
			return
		}
		for i := range got {
			require.NoError(t, got[i].check())
		}
	})
}

// Upscaled arrivals keep the pattern: every gap has its share, and requests keep their data.
func TestUpscale(t *testing.T) {
	in := []Request{{Prompt: 1, Output: 1}, {Prompt: 2, Output: 1, Arrival: 100}, {Prompt: 3, Output: 1, Arrival: 1000}}
	at := value(t, "{factor: 2}")
	r := func() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }
	times := func(u Upscale) (out []units.Time, prompts []int) {
		got, err := u.apply(at, in, r())
		require.NoError(t, err)
		for _, q := range got {
			out, prompts = append(out, q.Arrival), append(prompts, q.Prompt)
		}
		return out, prompts
	}
	got, prompts := times(Upscale{Factor: 2})
	require.Equal(t, []units.Time{0, 50, 100, 550, 1000, 1000}, got)
	require.Equal(t, []int{1, 2, 3, 1, 2, 3}, prompts)
	got, _ = times(Upscale{Factor: 0.5, Method: "trace"})
	require.Equal(t, []units.Time{100}, got)
	got, prompts = times(Upscale{Factor: 4, Method: "divide"})
	require.Equal(t, []units.Time{0, 25, 250}, got)
	require.Equal(t, []int{1, 2, 3}, prompts)
	got, _ = times(Upscale{Factor: 100, Method: "poisson"})
	require.Len(t, got, 300)
	require.InDelta(t, 1000, float64(got[299])*2/3, 250) // 299 gaps of 1000 / 200
	_, err := Upscale{}.apply(at, in, r())
	require.ErrorContains(t, err, "factor is 0 (want 0.001 to 1000)")
}

// value is YAML text as a configuration has it.
func value(t *testing.T, text string) configs.Value {
	doc, err := configs.Parse("t.yaml", []byte("schema: causeway/1\nparams: {v: "+text+"}\n"), configs.Options{Dir: "."})
	require.NoError(t, err)
	return doc.Root.Get("params").Get("v")
}

func TestLength(t *testing.T) {
	for text, want := range map[string]Length{"5": {5, 5}, "1..9": {1, 9}} {
		var l Length
		require.NoError(t, l.UnmarshalText([]byte(text)))
		require.Equal(t, want, l)
	}
	for _, text := range []string{"", "0", "-1", "5..4", "5..", "5x", "1..9..2", "99999999999999999999"} {
		var l Length
		require.Error(t, l.UnmarshalText([]byte(text)), text)
	}
}
