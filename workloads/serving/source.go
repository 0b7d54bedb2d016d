package serving

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// Source says where requests come from: a file, or drawn sizes and times.
type Source struct {
	File  configs.Value `yaml:"file" jsonschema:"description=JSONL or CSV with a request per line: arrival and tokens of prompt and answer"`
	Count int           `yaml:"count" jsonschema:"minimum=1,maximum=1048576" doc:"Requests; of a file the first ones, left out: all"`
	// Concurrency is the number of clients, each of which sends a request when its last one has
	// ended.
	Concurrency int     `yaml:"concurrency" jsonschema:"minimum=1,maximum=1048576" doc:"Clients, each of which sends its next request when the one before has ended, in place of arrivals"`
	Rounds      int     `yaml:"rounds" jsonschema:"minimum=1,maximum=65536" doc:"Requests of each client on average; with count no more requests than that, but two of each client"`
	Spread      float64 `yaml:"spread" jsonschema:"minimum=0,maximum=1" doc:"Lengths are drawn evenly from this share of prompt and output up to them; left out: they are not drawn"`
	// Prompt and Output are sizes if there is no file.
	Prompt   Length               `yaml:"prompt" doc:"Tokens of a prompt: a number, or the range that they are drawn from evenly (128..2048)"`
	Output   Length               `yaml:"output" doc:"Tokens of an answer, likewise"`
	Prefix   int                  `yaml:"prefix" jsonschema:"minimum=0,maximum=16777216" doc:"Tokens before each prompt that requests have in common (a system prompt), where there is no file; prefix_cache of the server computes them once"`
	Prefixes int                  `yaml:"prefixes" jsonschema:"minimum=1,maximum=1048576" doc:"How many different ones there are, no more than requests, one of which each request is given evenly; left out: one"`
	Arrivals schedule.ArrivalName `yaml:"arrivals" doc:"When requests arrive, in place of the times of the file: by name (periodic, poisson, bursty, trace) with parameters; left out without a file: all at once"`
	Upscale  Upscale              `yaml:"upscale" doc:"More requests per time than the file has"`
	// Replaced is the time from the first to the last arrival of the file, if Make has replaced
	// its arrivals.
	Replaced units.Time    `yaml:"-"`
	Turns    configs.Value `yaml:"turns_file" jsonschema:"description=CSV of prompts of the file that begin as an earlier request goes (its prompt and then its answer), for so many tokens: columns request, begins_as, tokens"`
}

// A Length is a number of tokens, or a range from which it is drawn.
type Length struct{ Least, Most int }

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *Length) UnmarshalText(b []byte) error {
	n, err := fmt.Sscanf(string(b), "%d..%d", &l.Least, &l.Most)
	if n == 1 {
		l.Most, err = l.Least, nil
	}
	if text := l.text(); err != nil || l.Least < 1 || l.Most < l.Least || l.Most > MaxTokens || text != string(b) {
		return fmt.Errorf("%q (want a number of tokens, or a range from the least to the most as 128..2048, of 1 to %d)", b, MaxTokens)
	}
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (l Length) MarshalText() ([]byte, error) { return []byte(l.text()), nil }

func (l Length) text() string {
	switch {
	case l == Length{}:
		return ""
	case l.Least == l.Most:
		return fmt.Sprint(l.Least)
	}
	return fmt.Sprintf("%d..%d", l.Least, l.Most)
}

func (l Length) draw(r *rand.Rand) int {
	if l.Least == l.Most {
		return l.Least
	}
	return l.Least + r.IntN(l.Most-l.Least+1)
}

func init() {
	schema.Register[Length](schema.Schema{"anyOf": []any{
		schema.Schema{"type": "string", "pattern": `^[0-9]+(\.\.[0-9]+)?$`}, schema.Schema{"type": "integer", "minimum": 1}}})
}

// MaxRequests bounds the requests of a workload.
const MaxRequests = 1 << 20

// Make makes the requests, in the order of arrival; at is the mapping of the spec, for errors.
func (s *Source) Make(at configs.Value, resolve func(configs.Value) (string, error), r *rand.Rand) (out []Request, err error) {
	if s.File.Exists() {
		for _, k := range []string{"prompt", "output", "prefix", "prefixes", "rounds", "spread"} {
			if v := at.Get(k); v.Exists() {
				return nil, v.Errorf(nil, "has no effect: the file says how long requests are")
			}
		}
		path, err := resolve(s.File)
		if err != nil {
			return nil, err
		}
		if out, err = ReadFile(path); err != nil {
			return nil, err
		}
		if s.Count > len(out) {
			return nil, at.Get("count").Errorf(nil, "is %d, and the file has %d requests", s.Count, len(out))
		}
		if s.Count > 0 {
			out = out[:s.Count]
		}
		if err := s.turn(at, resolve, out); err != nil {
			return nil, err
		}
		if v := at.Get("upscale"); v.Exists() && s.Arrivals.Name != "" {
			return nil, v.Errorf(nil, "has no effect: arrivals stand in place of the times of the file")
		}
		if out, err = s.Upscale.apply(at.Get("upscale"), out, r); err != nil {
			return nil, err
		}
	} else {
		if out, err = s.drawn(at, r); err != nil {
			return nil, err
		}
	}
	if s.Arrivals.Name != "" {
		if s.File.Exists() {
			s.Replaced = out[len(out)-1].Arrival
		}
		if err := s.times(out, resolve, r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// turn reads which requests of a file are turns of conversations.
func (s *Source) turn(at configs.Value, resolve func(configs.Value) (string, error), out []Request) error {
	if !s.Turns.Exists() {
		return nil
	}
	if v := at.Get("upscale"); v.Exists() {
		return v.Errorf(nil, "has no meaning with turns_file: requests are others then")
	}
	path, err := resolve(s.Turns)
	if err != nil {
		return err
	}
	return readTurns(path, out, s.Count == 0)
}

// drawn makes requests without a file.
func (s *Source) drawn(at configs.Value, r *rand.Rand) (out []Request, err error) {
	if v := at.Get("upscale"); v.Exists() {
		return nil, v.Errorf(nil, "has no effect: there is no file whose requests are to be more")
	}
	if s.Turns.Exists() {
		return nil, s.Turns.Errorf(nil, "has no effect: there is no file of requests")
	}
	var errs configs.Errors
	for _, x := range []struct {
		key string
		l   Length
	}{{"prompt", s.Prompt}, {"output", s.Output}} {
		if x.l.Most == 0 {
			errs.Add(at.Place(x.key).Errorf(nil, "%s is missing (a number of tokens, or file: with requests)", x.key))
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	if err := s.checkPrefix(at); err != nil {
		return nil, err
	}
	if err := s.closed(at); err != nil {
		return nil, err
	}
	prompt, output := s.Prompt.spread(s.Spread), s.Output.spread(s.Spread)
	for range s.number() {
		out = append(out, Request{Prompt: s.Prefix + prompt.draw(r), Output: output.draw(r), Shared: s.Prefix})
	}
	for i := range out {
		if s.Prefixes > 1 {
			out[i].Prefix = fmt.Sprint(r.IntN(s.Prefixes))
		}
	}
	return out, nil
}

// number is how many requests there are without a file.
func (s *Source) number() int {
	if s.Rounds == 0 {
		return max(s.Count, 1)
	}
	n := s.Rounds * s.Concurrency
	if s.Count > 0 {
		n = min(n, max(s.Count, 2*s.Concurrency))
	}
	return n
}

// closed reports keys of clients in a loop that cannot be.
func (s *Source) closed(at configs.Value) error {
	var errs configs.Errors
	if s.Rounds > 0 && s.Concurrency == 0 {
		errs.Add(at.Get("rounds").Errorf(nil, "has no effect without concurrency"))
	}
	if s.Rounds*s.Concurrency > MaxRequests {
		errs.Add(at.Get("rounds").Errorf(nil, "%d rounds of %d clients are more than %d requests", s.Rounds, s.Concurrency, MaxRequests))
	}
	if s.Spread < 0 || s.Spread > 1 {
		errs.Add(at.Get("spread").Errorf(nil, "is %g (want 0 to 1)", s.Spread))
	}
	if s.Concurrency > 0 && s.Arrivals.Name != "" {
		errs.Add(at.Get("concurrency").Errorf(nil, "has no effect with arrivals"))
	}
	return errs.Err()
}

// spread is the lengths from a share of the length to the length.
func (l Length) spread(share float64) Length {
	if share > 0 {
		l.Least = max(int(share*float64(l.Most)), 1)
	}
	return l
}

// checkPrefix reports common tokens that cannot be.
func (s *Source) checkPrefix(at configs.Value) error {
	var errs configs.Errors
	if s.Prefix < 0 || s.Prefix+s.Prompt.Most > MaxTokens {
		errs.Add(at.Get("prefix").Errorf(nil, "is %d (want 0 or more, at most %d with the prompt)", s.Prefix, MaxTokens))
	}
	if v := at.Get("prefixes"); v.Exists() && s.Prefix == 0 {
		errs.Add(v.Errorf(nil, "has no effect without prefix"))
	} else if n := max(s.Count, 1); v.Exists() && (s.Prefixes < 1 || s.Prefixes > n) {
		errs.Add(v.Errorf(nil, "is %d (want 1 to %d: no more than there are requests)", s.Prefixes, n))
	}
	return errs.Err()
}

// times sets the arrival times of requests.
func (s *Source) times(out []Request, resolve func(configs.Value) (string, error), r *rand.Rand) error {
	source, err := s.Arrivals.New(resolve)
	var key *schedule.KeyError
	if errors.As(err, &key) {
		return s.Arrivals.Place(key.Key).Errorf(nil, "%s", key)
	}
	if err != nil {
		return err
	}
	for i := range out {
		t, ok := source.Next(r)
		if !ok {
			return s.Arrivals.At.Errorf(nil, "end after %d of %d requests", i, len(out))
		}
		if t > math.MaxUint64/4 {
			return s.Arrivals.At.Errorf(nil, "request %d arrives after %s, which is as far as times count", i, units.Time(math.MaxUint64/4))
		}
		out[i].Arrival = t
	}
	return nil
}
