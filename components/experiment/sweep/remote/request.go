package remote

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// A Request is one line of JSON from a client.
type Request struct {
	ID      json.RawMessage `json:"id,omitempty"`   // comes back with the response
	Op      string          `json:"op"`             // one of Operations
	File    string          `json:"file,omitempty"` // load: a configuration or a sweep
	Text    string          `json:"text,omitempty"` // load: a configuration itself, in YAML or JSON
	Axes    []string        `json:"axes,omitempty"` // load: as --axis writes them
	Set     Settings        `json:"set,omitempty"`  // run, and for all of load
	Point   *int            `json:"point,omitempty"`
	N       int             `json:"n,omitempty"` // ask: at most so many; 0 is 1
	Metrics json.RawMessage `json:"metrics,omitempty"`
	Failed  string          `json:"failed,omitempty"` // tell: why there are no metrics
	Full    bool            `json:"full,omitempty"`   // run: with units, layers and series
	Name    string          `json:"name,omitempty"`   // describe, list
}

// misread adds what a Request may hold to an error of a field that it has not.
func misread(err error) error {
	word, found := strings.CutPrefix(err.Error(), "json: unknown field ")
	if !found {
		return err
	}
	var fields []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Request]()) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			fields = append(fields, name)
		}
	}
	return fmt.Errorf("unknown field %s (want one of: %s)", word, strings.Join(fields, ", "))
}

// Operations lists the values of Request.Op.
var Operations = []string{"ask", "describe", "front", "list", "load", "run", "tell"}

// Settings are --set values. In JSON they are a mapping from paths to scalars, or a list of
// path=value.
type Settings []string

// UnmarshalJSON implements json.Unmarshaler. A mapping is sorted by path.
func (s *Settings) UnmarshalJSON(b []byte) error {
	var list []string
	if json.Unmarshal(b, &list) == nil {
		*s = list
		return nil
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(b, &m); err != nil {
		return errors.New(`set: want {"Core.rows": 64} or ["Core.rows=64"]`)
	}
	for _, path := range slices.Sorted(maps.Keys(m)) {
		text := string(m[path])
		var word string
		if text != "null" && json.Unmarshal(m[path], &word) == nil {
			if text = word; word == "" {
				text = `""`
			}
		}
		*s = append(*s, path+"="+text)
	}
	return nil
}

// Parse reads a line. With an error the request has its ID alone, if there is one to be read; the
// error names the fields that a Request has, or says what Metrics may hold.
func Parse(line []byte) (*Request, error) {
	q := new(Request)
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(q); err != nil {
		var id struct{ ID json.RawMessage }
		_ = json.Unmarshal(line, &id) // a line that is not JSON has none
		return &Request{ID: id.ID}, fmt.Errorf("request: %w", misread(err))
	}
	var err error
	if q.Op == "tell" {
		_, err = q.Values()
	} else {
		_, err = q.Names()
	}
	if err != nil {
		return &Request{ID: q.ID}, err
	}
	return q, nil
}

// Values returns Metrics of a request of op tell: values by name, in the units of metrics.csv.
// It is nil if the request has none.
func (q *Request) Values() (values map[string]float64, err error) {
	if q.Metrics != nil && json.Unmarshal(q.Metrics, &values) != nil {
		return nil, errors.New(`metrics: want {"total_time": 1.5e6}`)
	}
	return values, nil
}

// Names returns Metrics of a request of any other op: the metrics that the client wants. It is nil
// if the client wants all.
func (q *Request) Names() (names []string, err error) {
	if q.Metrics != nil && json.Unmarshal(q.Metrics, &names) != nil {
		return nil, errors.New(`metrics: want ["total_time"]`)
	}
	return names, nil
}
