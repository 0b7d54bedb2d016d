package player

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// Spec holds the keys of a driver.
type Spec struct {
	// Trace is the file of requests.
	Trace string `yaml:"trace" doc:"File of requests, compressed or not; this or generate is needed"`
	// Generate makes the requests of a layer in place of Trace.
	Generate Generate `yaml:"generate" doc:"Layer or pattern by name, with its keys, whose requests of the core with this driver's number are played in place of a trace (causeway list generators)"`
	// Format of the file, a name of trace.All; empty looks at the content.
	Format string `yaml:"format" doc:"Format of the trace; empty looks at the content (causeway list traces)"`
	// Mode is closed:K, open:I or timed.
	Mode Mode `yaml:"mode" doc:"closed:K keeps K requests outstanding, open:I has one arrive every I cycles, timed takes the times of the trace"`
	// Clock of the driver; nil is that of the memory it is linked to.
	Clock *units.Frequency `yaml:"clock" doc:"Clock of the driver; default is that of the memory"`
	// Bytes of a request whose size the trace does not say.
	Bytes units.Bytes `yaml:"bytes" doc:"Size of requests where the trace does not say it"`
	// Line is what a line or object number of the trace stands for.
	Line units.Bytes `yaml:"line" doc:"Bytes that a line or object number of the trace stands for"`
	// Levels are the sizes of the levels of address vectors.
	Levels []uint64 `yaml:"levels" doc:"Sizes of the levels of address vectors, the outermost first"`
	// Limit is how many records of the trace are played; 0: all.
	Limit uint64 `yaml:"limit" doc:"Records of the trace that are played; 0 is all"`
	// Repeat is how often they are.
	Repeat uint64 `yaml:"repeat" jsonschema:"minimum=1" doc:"How often the trace is played"`
	// Until is when it stops; 0 is at the end of the trace.
	Until units.Latency `yaml:"until" doc:"Time from which on no request begins; 0 is never"`
	// Posted writes are done when they are sent.
	Posted bool `yaml:"posted" doc:"A write is done when it is sent, not when it is answered"`
	// Base is added to all addresses, after Wrap.
	Base units.Bytes `yaml:"base" doc:"Added to the addresses of the trace"`
	// Wrap folds addresses into as many bytes; 0: not at all.
	Wrap units.Bytes `yaml:"wrap" doc:"Addresses are taken modulo this; 0B leaves them"`
	// Tensors is a file in the own trace format whose tensors annotate requests by
	// their addresses.
	Tensors string `yaml:"tensors" doc:"File with a table of tensors (format causeway) that tells requests their tensor by address"`
}

// DefaultSpec sends one request at a time, of 64 bytes.
func DefaultSpec() Spec {
	return Spec{Mode: Mode{Kind: Closed, N: 1}, Bytes: 64, Line: 64, Repeat: 1}
}

// A ModeKind says when requests arrive.
type ModeKind uint8

// The kinds of modes.
const (
	Closed ModeKind = iota // N are outstanding
	Open                   // one every N cycles
	Timed                  // at the times of the trace
)

// A Mode is the value of key mode: closed:8, open:12, timed.
type Mode struct {
	Kind ModeKind
	N    uint64
}

// maxWindow bounds the requests outstanding in a closed loop.
const maxWindow = 1 << 20

// String prints a mode as it is written.
func (m Mode) String() string {
	switch m.Kind {
	case Closed:
		return fmt.Sprintf("closed:%d", m.N)
	case Open:
		return fmt.Sprintf("open:%d", m.N)
	}
	return "timed"
}

// MarshalText implements encoding.TextMarshaler.
func (m Mode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (m *Mode) UnmarshalText(b []byte) error {
	s := string(b)
	if s == "timed" {
		*m = Mode{Kind: Timed}
		return nil
	}
	word, number, _ := strings.Cut(s, ":")
	n, err := strconv.ParseUint(number, 10, 64)
	switch {
	case word != "closed" && word != "open" || err != nil:
		return fmt.Errorf("%q is no mode (want closed:K, open:I or timed)", s)
	case word == "closed" && (n < 1 || n > maxWindow):
		return fmt.Errorf("%q: want 1 to %d outstanding requests", s, maxWindow)
	case word == "open" && (n < 1 || n > 1<<32):
		return fmt.Errorf("%q: want an interval of 1 to 2^32 cycles", s)
	}
	*m = Mode{Kind: Closed, N: n}
	if word == "open" {
		m.Kind = Open
	}
	return nil
}

func init() {
	schema.Register[Mode](schema.Schema{
		"type": "string", "title": "a mode", "examples": []any{"closed:8"}, "pattern": `^(closed:[0-9]+|open:[0-9]+|timed)$`,
	})
	system.Register(system.Kind[Spec]{
		Name:    "driver",
		Program: true,
		Doc:     "Plays a trace of memory requests: closed loop, open loop, or at the times of the trace.",
		Source:  "none: arithmetic, see the package's doc",
		Subject: system.OfRequests, Headlines: headlines, Goal: goal, Levers: levers,
		Default: DefaultSpec(),
		Files:   []string{"trace", "tensors"},
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			var errs configs.Errors
			errs.Add(s.check(v.Place))
			for _, key := range []string{"format", "line", "levels"} {
				if x := v.Get(key); x.Exists() && s.Generate.Layer() != nil {
					errs.Add(x.Errorf(nil, "has no effect on what is generated (used by: trace)"))
				}
			}
			for _, f := range []struct {
				key  string
				path *string
			}{{"trace", &s.Trace}, {"tensors", &s.Tensors}} {
				if x := v.Get(f.key); x.Exists() && *f.path != "" {
					path, err := env.File(x)
					errs.Add(err)
					*f.path = path
				}
			}
			if err := errs.Err(); err != nil {
				return nil, err
			}
			d, err := New(name, env.Engine, s)
			if err != nil {
				return nil, v.Place(keyOf(err)).Errorf(nil, "%v", err)
			}
			return d, nil
		},
	})
}

// check reports every value that makes no sense.
func (s *Spec) check(at func(key string) configs.Value) error {
	var errs configs.Errors
	switch {
	case s.Trace == "" && s.Generate.Layer() == nil:
		errs.Add(at("trace").Errorf(nil, "there is no trace"))
	case s.Trace != "" && s.Generate.Layer() != nil:
		errs.Add(at("generate").Errorf(nil, "there is a trace and a layer to be generated; one of them must go (null takes a key away)"))
	}
	if s.Format != "" {
		if _, ok := trace.All.Entry(s.Format); !ok {
			errs.Add(at("format").Errorf(trace.All.Names(), "unknown trace format %q", s.Format))
		}
	}
	if s.Bytes < 1 || s.Bytes > memory.MaxBurst {
		errs.Add(at("bytes").Errorf(nil, "is %s (want 1B to %s)", s.Bytes, units.Bytes(memory.MaxBurst)))
	}
	if s.Line < 1 || s.Line > 1<<30 {
		errs.Add(at("line").Errorf(nil, "is %s (want 1B to 1GiB)", s.Line))
	}
	if s.Repeat < 1 {
		errs.Add(at("repeat").Errorf(nil, "is %d (want 1 or more)", s.Repeat))
	}
	return errs.Err()
}

// A keyError is an error of the file that a key names, or of the key for that file.
type keyError struct {
	key string
	err error
}

func (e *keyError) Error() string { return e.err.Error() }
func (e *keyError) Unwrap() error { return e.err }

func keyOf(err error) string {
	if e, ok := err.(*keyError); ok {
		return e.key
	}
	return "trace"
}
