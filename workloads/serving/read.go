package serving

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// A field is the meaning of a column or key of a file.
type field uint8

const (
	arrivalS  field = iota // seconds, from the first one on
	arrivalNS              // nanoseconds, from the first one on
	arrivalMS              // milliseconds
	stamp                  // date and time
	prompt
	output
	requestName
	promptIDs
	outputIDs
	cached
	prefix
	shared
	hashIDs
	unused // what a server measured: compared elsewhere
)

// fields are the names of columns and keys: of LLMServingSim and its vLLM logs, of the
// Azure traces as published and as Splitwise and Vidur write them, of ONNXim (whose times
// are cycles of 1 GHz, and whose prompts come after what is cached), and of Mooncake (whose timestamp is a
// number of milliseconds).
var fields = map[string]field{
	"arrival_time_ns": arrivalNS, "arrival_time": arrivalS, "arrived_at": arrivalS, "timestamp": stamp, "arrival_s": arrivalS, "arrival_ms": arrivalMS,
	"input_toks": prompt, "num_prefill_tokens": prompt, "contexttokens": prompt, "prompt_tokens": prompt,
	"output_toks": output, "num_decode_tokens": output, "generatedtokens": output, "output_tokens": output,
	"time": arrivalNS, "prompt_length": prompt, "target_length": output, "cached_length": cached, "prefix": prefix, "prefix_tokens": shared,
	"input_length": prompt, "output_length": output, "hash_ids": hashIDs,
	"request_id": requestName, "input_tok_ids": promptIDs, "output_tok_ids": outputIDs,
	"queued_ts": unused, "scheduled_ts": unused, "first_token_ts": unused, "last_token_ts": unused,
}

// ReadFile reads requests from a JSONL file, or a CSV file with a header. The result is sorted by
// arrival, with the first request at time 0. Errors have their place.
func ReadFile(path string) ([]Request, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Read(path, b)
}

// Read is like ReadFile, for the content of a file.
func Read(name string, b []byte) ([]Request, error) {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	read := readCSV
	if t := bytes.TrimSpace(b); len(t) > 0 && t[0] == '{' {
		read = readJSON
	}
	rows, err := read(name, b)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fault(name, 1, 1, "holds no request")
	}
	if len(rows) > MaxRequests {
		return nil, fault(name, rows[MaxRequests].line, 1, "more than %d requests", MaxRequests)
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.at, b.at) })
	out := make([]Request, len(rows))
	for i, r := range rows {
		t := (r.at - rows[0].at) * float64(units.Nanosecond)
		if t > math.MaxUint64/4 {
			return nil, fault(name, r.line, 1, "arrives %g s after the first, which is farther than times count", (r.at-rows[0].at)/1e9)
		}
		out[i] = r.Request
		if r.Hashes != nil && r.Cached > 0 {
			return nil, fault(name, r.line, 1, "says hash_ids, and how many tokens are there already")
		}
		out[i].Prompt += r.Cached
		out[i].Arrival = units.Time(math.Round(t))
		if err := out[i].check(); err != nil {
			return nil, fault(name, r.line, 1, "%v", err)
		}
	}
	return out, nil
}

// A row is a request with its time in ns from wherever the file counts.
type row struct {
	Request
	at   float64
	line int
}

func fault(file string, line, col int, format string, a ...any) error {
	return &configs.Error{Pos: configs.Pos{File: file, Line: line, Col: col}, Msg: fmt.Sprintf(format, a...)}
}

// names are those that a file may have.
func names() []string {
	var out []string
	for n := range fields {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// complete returns an error for missing required fields.
func complete(name string, line int, has map[field]bool) error {
	for _, f := range []struct {
		f    field
		want string
	}{{prompt, "input_toks, num_prefill_tokens or ContextTokens"}, {output, "output_toks, num_decode_tokens or GeneratedTokens"}} {
		if !has[f.f] {
			return fault(name, line, 1, "does not say %s", f.want)
		}
	}
	if !has[arrivalS] && !has[arrivalNS] && !has[arrivalMS] && !has[stamp] {
		return fault(name, line, 1, "does not say when requests arrive (arrival_time_ns, arrival_time, arrived_at or TIMESTAMP)")
	}
	if has[prefix] && !has[shared] {
		return fault(name, line, 1, "says prefix, and not how many tokens it has (prefix_tokens)")
	}
	return nil
}

func readCSV(name string, b []byte) (out []row, err error) {
	in := csv.NewReader(bytes.NewReader(b))
	in.TrimLeadingSpace, in.Comment, in.ReuseRecord = true, '#', true
	var columns []field
	has := map[field]bool{}
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, configs.CSVError(name, err)
		}
		line, _ := in.FieldPos(0)
		if columns == nil {
			for i, c := range cells {
				f, ok := fields[strings.ToLower(strings.TrimSpace(c))]
				if _, col := in.FieldPos(i); !ok {
					return nil, &configs.Error{Pos: configs.Pos{File: name, Line: line, Col: col}, Msg: fmt.Sprintf("unknown column %q", c), Want: names(), Nearest: configs.Nearest(c, names())}
				} else if has[f] && f != unused {
					return nil, fault(name, line, col, "column %q: there is one of its kind already", c)
				} else if f == promptIDs || f == outputIDs || f == hashIDs {
					return nil, fault(name, line, col, "column %q has no place here", c)
				}
				columns, has[f] = append(columns, f), true
			}
			if err := complete(name, line, has); err != nil {
				return nil, err
			}
			continue
		}
		r := row{line: line}
		for i, c := range cells {
			if err := r.set(columns[i], strings.TrimSpace(c)); err != nil {
				_, col := in.FieldPos(i)
				return nil, fault(name, line, col, "%v", err)
			}
		}
		out = append(out, r)
	}
}

// set sets one field from its cell.
func (r *row) set(f field, text string) (err error) {
	count := func() (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > MaxTokens {
			return 0, fmt.Errorf("%q is no number of tokens (want 1 to %d)", text, MaxTokens)
		}
		return n, nil
	}
	switch f {
	case arrivalS, arrivalMS, arrivalNS, stamp:
		r.at, err = instant(f, text)
	case prompt:
		r.Prompt, err = count()
	case output:
		r.Output, err = count()
	case cached:
		if text != "0" {
			r.Cached, err = count()
		}
	case shared:
		if text != "0" && text != "" {
			r.Shared, err = count()
		}
	case prefix:
		r.Prefix = strings.Clone(text)
	case requestName:
		r.Name = strings.Clone(text)
	}
	return err
}

// instant is a time of a file in ns.
func instant(f field, text string) (float64, error) {
	if f == stamp {
		t, err := time.Parse("2006-01-02 15:04:05.9999999", strings.TrimSuffix(text, "+00:00"))
		if err != nil {
			return 0, fmt.Errorf("%q is no date and time as 2023-11-16 18:17:03.9799600", text)
		}
		return float64(t.UnixNano()), nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0 && v < 1e18) {
		return 0, fmt.Errorf("%q is no time of 0 or more", text)
	}
	return v * map[field]float64{arrivalS: 1e9, arrivalMS: 1e6, arrivalNS: 1}[f], nil
}

func readJSON(name string, b []byte) (out []row, err error) {
	in := bufio.NewScanner(bytes.NewReader(b))
	in.Buffer(nil, len(b)+1)
	for line := 1; in.Scan(); line++ {
		text := bytes.TrimSpace(in.Bytes())
		if len(text) == 0 {
			continue
		}
		var keys map[string]json.RawMessage
		if err := json.Unmarshal(text, &keys); err != nil {
			return nil, fault(name, line, 1, "no object of JSON: %v", err)
		}
		if k, twice := repeatedKey(text); twice {
			return nil, fault(name, line, 1+max(bytes.LastIndex(in.Bytes(), []byte(`"`+k+`"`)), 0), "key %q is here twice", k)
		}
		r, has := row{line: line}, map[field]bool{}
		var ids [2][]int32
		for _, k := range sortedKeys(keys) {
			f, ok := fields[strings.ToLower(k)]
			if !ok {
				return nil, &configs.Error{Pos: configs.Pos{File: name, Line: line, Col: 1 + max(bytes.Index(in.Bytes(), []byte(`"`+k+`"`)), 0)}, Msg: fmt.Sprintf("unknown key %q", k), Want: names()}
			}
			if has[f] && f != unused {
				return nil, fault(name, line, 1+max(bytes.Index(in.Bytes(), []byte(`"`+k+`"`)), 0), "key %q says again what another key does", k)
			}
			has[f] = true
			if f == promptIDs || f == outputIDs {
				err = json.Unmarshal(keys[k], &ids[f-promptIDs])
			} else {
				err = r.setJSON(f, keys[k])
			}
			if err != nil {
				return nil, fault(name, line, 1+max(bytes.Index(in.Bytes(), []byte(`"`+k+`"`)), 0), "%s: %v", k, err)
			}
		}
		if err := complete(name, line, has); err != nil {
			return nil, err
		}
		if ids[0] != nil {
			if len(ids[0]) != r.Prompt {
				return nil, fault(name, line, 1, "%d tokens are listed of a prompt of %d", len(ids[0]), r.Prompt)
			}
			r.Tokens = append(ids[0], ids[1]...)
		}
		if r.Hashes != nil {
			r.Hashed = r.Prompt
		}
		out = append(out, r)
	}
	return out, in.Err()
}

// setJSON sets one field from its value.
func (r *row) setJSON(f field, value json.RawMessage) error {
	switch {
	case f == hashIDs:
		return json.Unmarshal(value, &r.Hashes)
	case f == stamp && value[0] != '"':
		f = arrivalMS
	}
	return r.set(f, strings.Trim(string(value), `"`))
}

// repeatedKey is a key that an object has twice.
func repeatedKey(object []byte) (string, bool) {
	in, seen := json.NewDecoder(bytes.NewReader(object)), map[string]bool{}
	_, _ = in.Token() // the brace; the object has been read before
	for in.More() {
		t, _ := in.Token()
		key, _ := t.(string)
		if seen[key] {
			return key, true
		}
		seen[key] = true
		var value json.RawMessage
		if in.Decode(&value) != nil {
			break
		}
	}
	return "", false
}

func sortedKeys(m map[string]json.RawMessage) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
