package schedule

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// A Source generates the arrival times of a workload's requests.
type Source interface {
	// Next returns the arrival of the next request, counted from the workload's arrival and never
	// before the last one; ok is false if there are no more.
	Next(r *rand.Rand) (at units.Time, ok bool)
}

// NewSource makes a source from the parameters of its entry; resolve finds a file.
type NewSource func(spec any, resolve func(configs.Value) (string, error)) (Source, error)

// Arrivals holds the arrival processes by name.
var Arrivals = registry.New[NewSource]("arrivals")

// ArrivalName names one of Arrivals.
type ArrivalName struct {
	named.Choice
	At configs.Value // its value, for errors
}

// UnmarshalConfig implements configs.Unmarshaler.
func (n *ArrivalName) UnmarshalConfig(v configs.Value) (err error) {
	n.At = v
	n.Choice, err = named.Read(v, "arrivals", Arrivals)
	return err
}

// New makes the source; errors have the place of the key.
func (n ArrivalName) New(resolve func(configs.Value) (string, error)) (Source, error) {
	e, _ := Arrivals.Entry(n.Name)
	return e.New(n.Spec, resolve)
}

// Place returns the value of a key of the parameters, for errors.
func (n ArrivalName) Place(key string) configs.Value { return n.At.Place(key) }

// Periodic is the arrival of requests at equal intervals.
type Periodic struct {
	Period units.Time `yaml:"period" jsonschema:"required" doc:"Time from one request to the next"`
	Jitter units.Time `yaml:"jitter" doc:"Each is late by a random time below this, of at most the period"`
}

type periodic struct {
	Periodic
	n units.Time
}

func (p *periodic) Next(r *rand.Rand) (units.Time, bool) {
	at := p.n * p.Period
	p.n++
	if p.Jitter > 0 {
		at += units.Time(r.Uint64N(uint64(p.Jitter)))
	}
	return at, true
}

// Poisson is the arrival of requests by a Poisson process.
type Poisson struct {
	Mean units.Time `yaml:"mean" jsonschema:"required" doc:"Mean time from one request to the next"`
}

type poisson struct {
	mean float64
	at   float64
}

func (p *poisson) Next(r *rand.Rand) (units.Time, bool) {
	p.at += r.ExpFloat64() * p.mean
	return units.Time(math.Round(p.at)), true
}

// Trace is the arrival of requests at times listed in a file.
type Trace struct {
	File configs.Value `yaml:"file" jsonschema:"required" doc:"Text file with a time per line, ascending: 0s, 1.5ms; a # begins a comment"`
}

type listed struct{ times []units.Time }

func (l *listed) Next(*rand.Rand) (units.Time, bool) {
	if len(l.times) == 0 {
		return 0, false
	}
	at := l.times[0]
	l.times = l.times[1:]
	return at, true
}

// readTimes reads a list of times; name is the file's, for errors.
func readTimes(path, name string) (Source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	l := &listed{}
	in := bufio.NewScanner(f)
	for line := 1; in.Scan(); line++ {
		text, _, _ := strings.Cut(in.Text(), "#")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		var t units.Time
		if err := t.UnmarshalText([]byte(text)); err != nil {
			return nil, fmt.Errorf("%s:%d:1: %w", name, line, err)
		}
		if n := len(l.times); n > 0 && t < l.times[n-1] {
			return nil, fmt.Errorf("%s:%d:1: %s comes after %s (want ascending times)", name, line, t, l.times[n-1])
		}
		l.times = append(l.times, t)
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	if len(l.times) == 0 {
		return nil, fmt.Errorf("%s: holds no time", name)
	}
	return l, nil
}

func init() {
	Arrivals.Add(registry.Entry[NewSource]{
		Name: "periodic", Doc: "Requests at equal distances, as frames of a camera.", Source: "none: arithmetic",
		Spec: Periodic{},
		New: func(spec any, _ func(configs.Value) (string, error)) (Source, error) {
			p := spec.(Periodic)
			switch {
			case p.Period == 0:
				return nil, &KeyError{"period", "is missing or 0 (want a time, for example 33ms)"}
			case p.Jitter > p.Period:
				return nil, &KeyError{"jitter", fmt.Sprintf("is %s (want at most the period, %s)", p.Jitter, p.Period)}
			}
			return &periodic{Periodic: p}, nil
		},
	})
	Arrivals.Add(registry.Entry[NewSource]{
		Name: "poisson", Doc: "Requests that arrive independently: exponential times between them.", Source: "none: arithmetic",
		Spec: Poisson{},
		New: func(spec any, _ func(configs.Value) (string, error)) (Source, error) {
			p := spec.(Poisson)
			if p.Mean == 0 {
				return nil, &KeyError{"mean", "is missing or 0 (want a time, for example 10ms)"}
			}
			return &poisson{mean: float64(p.Mean)}, nil
		},
	})
	Arrivals.Add(registry.Entry[NewSource]{
		Name: "trace", Doc: "Requests at the times that a file lists.", Source: "none: a list",
		Spec: Trace{},
		New: func(spec any, resolve func(configs.Value) (string, error)) (Source, error) {
			v := spec.(Trace).File
			if !v.Exists() {
				return nil, &KeyError{"file", "is missing (a text file with a time per line)"}
			}
			path, err := resolve(v)
			if err != nil {
				return nil, err
			}
			s, err := readTimes(path, v.Text())
			if err != nil {
				return nil, v.Errorf(nil, "%v", err)
			}
			return s, nil
		},
	})
}

// A KeyError is the error of one key of a spec.
type KeyError struct{ Key, Msg string }

func (e *KeyError) Error() string { return e.Key + " " + e.Msg }
