package huggingface

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/causeway-sim/causeway/workloads/format"
)

const maxJSONBytes = 16 << 20

// A jsonObject is the members of a JSON object and where their values stand.
type jsonObject struct {
	file   string
	text   []byte // the whole file
	at     int    // of the opening brace
	values map[string]jsonValue
	errs   *format.ErrorList
}

type jsonValue struct {
	raw json.RawMessage
	at  int
}

// place is the line and column of byte at.
func (o *jsonObject) place(at int) (line, col int) {
	at = min(at, len(o.text))
	head := o.text[:at]
	start := bytes.LastIndexByte(head, '\n') + 1
	return bytes.Count(head, []byte("\n")) + 1, utf8.RuneCount(head[start:]) + 1
}

func (o *jsonObject) fault(at int, want []string, msg string, args ...any) *format.Error {
	line, col := o.place(at)
	return &format.Error{File: o.file, Line: line, Col: col, Msg: fmt.Sprintf(msg, args...), Want: want}
}

// parseJSON reads a file that is one JSON object.
func parseJSON(src format.Source) (*jsonObject, error) {
	text, err := src.ReadAll(maxJSONBytes)
	if err != nil {
		return nil, err
	}
	text = finite(bytes.TrimPrefix(text, format.UTF8BOM))
	o := &jsonObject{file: src.Name, text: text, errs: &format.ErrorList{}}
	var whole json.RawMessage
	dec := json.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(&whole); err != nil {
		var syntax *json.SyntaxError
		switch {
		case errors.As(err, &syntax):
			return nil, o.fault(int(syntax.Offset)-1, nil, "not valid JSON: %v", err)
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			return nil, o.fault(len(text), nil, "the JSON text is cut off")
		}
		return nil, o.fault(0, nil, "%v", err)
	}
	if rest := bytes.TrimSpace(text[dec.InputOffset():]); len(rest) > 0 {
		return nil, o.fault(len(text)-len(rest), nil, "there is more behind the JSON object")
	}
	return o.object(jsonValue{whole, int(dec.InputOffset()) - len(whole)})
}

// finite replaces the numbers that Python writes and JSON does not have, outside of text, by others
// of the same length: Infinity by 1e000308, NaN by 0.0.
func finite(text []byte) []byte {
	if !bytes.Contains(text, []byte("Infinity")) && !bytes.Contains(text, []byte("NaN")) {
		return text
	}
	out := slices.Clone(text)
	quoted := false
	for i := 0; i < len(out); i++ {
		switch {
		case quoted && out[i] == '\\':
			i++
		case out[i] == '"':
			quoted = !quoted
		case !quoted && bytes.HasPrefix(out[i:], []byte("Infinity")):
			copy(out[i:], "1e000308")
		case !quoted && bytes.HasPrefix(out[i:], []byte("NaN")):
			copy(out[i:], "0.0")
		}
	}
	return out
}

// object splits an object, which is valid JSON, into its members.
func (o *jsonObject) object(v jsonValue) (*jsonObject, error) {
	p := &jsonObject{file: o.file, text: o.text, at: v.at, values: map[string]jsonValue{}, errs: o.errs}
	dec := json.NewDecoder(bytes.NewReader(v.raw))
	t, err := dec.Token()
	if d, ok := t.(json.Delim); err != nil || !ok || d != '{' {
		return nil, o.fault(v.at, nil, "%s where an object is wanted", jsonKind(v.raw))
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, o.fault(v.at+int(dec.InputOffset()), nil, "%v", err)
		}
		var m json.RawMessage
		if err := dec.Decode(&m); err != nil {
			return nil, o.fault(v.at+int(dec.InputOffset()), nil, "%v", err)
		}
		at := v.at + int(dec.InputOffset()) - len(m)
		name := key.(string)
		if _, dup := p.values[name]; dup {
			o.errs.Add(o.fault(at, nil, "the key %q appears twice", name))
		}
		p.values[name] = jsonValue{m, at}
	}
	return p, nil
}

// jsonKind names the type of a value in messages.
func jsonKind(raw json.RawMessage) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "text"
	case 't', 'f':
		return "a truth value"
	case 'n':
		return "null"
	}
	return "a number"
}

// find is the value of the first key that is there; null counts as absent.
func (o *jsonObject) find(keys ...string) (string, jsonValue, bool) {
	for _, k := range keys {
		if v, ok := o.values[k]; ok && string(v.raw) != "null" {
			return k, v, true
		}
	}
	return keys[0], jsonValue{}, false
}

// number is a whole number from lowest to highest, or def if there is none.
func (o *jsonObject) number(def, lowest, highest int, keys ...string) int {
	key, v, ok := o.find(keys...)
	if !ok {
		return def
	}
	if jsonKind(v.raw) != "a number" {
		o.errs.Add(o.fault(v.at, nil, "%s is %s (want a whole number)", key, jsonKind(v.raw)))
		return def
	}
	n, err := strconv.ParseInt(string(v.raw), 10, 64)
	if err != nil {
		if x, _ := strconv.ParseFloat(string(v.raw), 64); x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			n, err = int64(x), nil
		}
	}
	if err != nil || n < int64(lowest) || n > int64(highest) {
		o.errs.Add(o.fault(v.at, nil, "%s is %s (want a whole number from %d to %d)", key, v.raw, lowest, highest))
		return def
	}
	return int(n)
}

// truth is a truth value, or def.
func (o *jsonObject) truth(def bool, keys ...string) bool {
	key, v, ok := o.find(keys...)
	if !ok {
		return def
	}
	if jsonKind(v.raw) != "a truth value" {
		o.errs.Add(o.fault(v.at, nil, "%s is %s (want true or false)", key, jsonKind(v.raw)))
		return def
	}
	return v.raw[0] == 't'
}

// word is text, or def.
func (o *jsonObject) word(def string, keys ...string) string {
	key, v, ok := o.find(keys...)
	if !ok {
		return def
	}
	var s string
	if json.Unmarshal(v.raw, &s) != nil {
		o.errs.Add(o.fault(v.at, nil, "%s is %s (want text)", key, jsonKind(v.raw)))
		return def
	}
	return s
}

// missing reports all missing required keys in one error.
func (o *jsonObject) missing(keys ...[]string) {
	var names []string
	for _, k := range keys {
		if _, _, ok := o.find(k...); !ok {
			names = append(names, k[0])
		}
	}
	if len(names) > 0 {
		o.errs.Add(o.fault(o.at, nil, "the keys %s are missing", strings.Join(names, ", ")))
	}
}
