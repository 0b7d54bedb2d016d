package experiment

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/components/experiment/evaluation"
	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/watch"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
)

// Options say how to run. Only Set, Inputs and Search change the result.
type Options struct {
	Set    []string // path=value, as after --set
	SetDir string   // directory of relative file names in Set; "" is the working directory
	Inputs string   // folder that inputs: stands for; "" takes CAUSEWAY_INPUTS
	Engine string   // one of EngineNames; "" is the first
	// Messages sends all requests as messages through ports, without the faster direct paths.
	Messages bool
	Tasks    []task.Listener // of the first Run
	// Observe records the first Run over time, in Result.Observed.
	Observe bool
	// Live is called every half second with the progress of the first Run, from another
	// goroutine.
	Live func(Live)
	// Workers is the number of host cores for the first Run, if its nodes can use several; 0 is 1.
	// It does not change the result.
	Workers int
	// Search returns further settings for the nodes that search for mappings of loop nests.
	Search func(nodes []string) ([]Setting, error)
	// Scaling estimates, on one worker, the speed-up on more cores, and passes it to Note.
	Scaling bool
	// Note is called with a line if Workers has no effect.
	Note func(string)

	whole     string                // system.Env.Whole
	throttled *evaluation.Throttled // by what limits of power were lowered for section thermal; nil: it is not known
}

// SimulationSpec is the simulation section.
type SimulationSpec struct {
	Seed    uint64     `yaml:"seed" jsonschema:"description=Seed of everything random"`
	Sample  units.Time `yaml:"sample" jsonschema:"description=Interval of timeseries.csv; 0 writes none"`
	Record  watch.Spec `yaml:"record" jsonschema:"description=What is written down about what crosses ports"`
	Quantum units.Time `yaml:"quantum" doc:"Time that networks, what is linked to them, and groups of a flit network driven by traffic are simulated apart; a message that would arrive within waits for the end. Longer than the least latency between them it changes results, and late messages are counted; 0 is no quantum: no message is late"`
	Repeat  string     `yaml:"repeat" jsonschema:"enum=exact,enum=sampled" doc:"exact (default): every operator is simulated; sampled: layers of a model on cores, or of a request of a schedule, and layers and steps of a served model, that repeat are simulated until they are warm, and the rest takes the same"`
	Chips   string     `yaml:"chips" jsonschema:"enum=each,enum=follow" doc:"Of repeat: sampled, for a served model on equal chips with memories of their own. each (default): all are simulated; follow: the first and the last are, and operators of the others take the times and counts of the first"`
	MaxTime units.Time `yaml:"max_time" jsonschema:"description=Simulated time after which the run is ended and marked incomplete; 0 is no limit"`
}

// An Experiment is a loaded configuration, ready to run.
type Experiment struct {
	doc       *configs.Document
	options   Options
	config    []byte // resolved
	inputs    []result.Input
	sim       SimulationSpec
	mapping   mapping.Spec
	workloads []*plan.Workload
	built     *assembly // made by Load, spent by the first Run
	flags     []Setting // of Options.Search
	loader    *Loader
	opened    string                                        // which workloads it has, for Loader.checkWorkloads; "" without Open
	read      func(set []string) (*configs.Document, error) // reads the configuration with settings
}

// Root is the resolved configuration.
func (x *Experiment) Root() configs.Value { return x.doc.Root }

// Files are the configuration files that were read, built-in ones (preset:NAME) included.
func (x *Experiment) Files() []string { return x.doc.Files }

// Inputs are the files that the configuration names, with their hashes.
func (x *Experiment) Inputs() []result.Input { return x.inputs }

// Seed is the seed of everything random.
func (x *Experiment) Seed() uint64 { return x.sim.Seed }

// A Loader loads many experiments, as for a sweep, and reads every file once. Several goroutines
// may use it.
type Loader struct {
	options Options
	configs *configs.Loader
	mu      sync.Mutex
	sums    map[string]result.Input // by path
	mappers plan.Mappers
	faults  sync.Map // *error of workloads, by what Open has read
}

// NewLoader returns a loader. Options.Set is applied before the settings of
// each experiment.
func NewLoader(o Options) *Loader {
	return &Loader{options: o, configs: configs.NewLoader(configs.Options{Inputs: o.Inputs, SetDir: o.SetDir}), sums: map[string]result.Input{}}
}

// Load reads a configuration and builds its system, without running it. The error has all errors
// of the configuration.
func Load(file string, o Options) (*Experiment, error) {
	l := NewLoader(o)
	return l.whole(func(set []string) (*configs.Document, error) { return l.configs.Load(file, set...) })
}

// Parse is like Load, but takes the text of the file; name is the file's name in errors.
func Parse(name string, src []byte, o Options) (*Experiment, error) {
	l := NewLoader(o)
	return l.whole(func(set []string) (*configs.Document, error) { return l.configs.Parse(name, src, set...) })
}

func (l *Loader) whole(read func(set []string) (*configs.Document, error)) (*Experiment, error) {
	var errs configs.Errors
	doc, err := read(l.options.Set)
	errs.Add(err)
	if doc == nil {
		return nil, errs.Err()
	}
	if err := otherFile(doc.Root); err != nil {
		return nil, err
	}
	x, err := l.open(doc)
	errs.Add(err)
	if l.options.Search != nil && errs == nil {
		if x, err = l.asked(x, read); err != nil {
			return nil, err
		}
	}
	if x != nil {
		built, err := x.assemble()
		errs.Add(atFlags(err, len(l.options.Set), x.flags))
		x.built, x.read = built, read
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return x, nil
}

// otherFile is an error that says what a file is that is no configuration: a sweep or a study.
func otherFile(root configs.Value) error {
	if b := root.Get("base"); b.Exists() && root.Get("sweep").Exists() {
		return b.Errorf(nil, "this is a sweep file, not a configuration (causeway sweep runs it)")
	}
	for _, key := range []string{"method", "objectives"} {
		if v := root.Get(key); v.Exists() && !root.Get("nodes").Exists() {
			return v.Errorf(nil, "%s is a key of a sweep, and a sweep has base: CONFIG and sweep: {PATH: [values]}", key)
		}
	}
	if p := root.Get("points"); p.Exists() && root.Get("runs").Exists() {
		return p.Errorf(nil, "this is a study, not a configuration (causeway validate . --studies DIR checks and runs it, DIR being its folder)")
	}
	return nil
}

// Open resolves a configuration without building it, which is cheap and enough for its Identity.
// Errors of nodes and workloads appear when it runs.
func (l *Loader) Open(file string, set []string) (*Experiment, error) {
	doc, err := l.configs.Load(file, slices.Concat(l.options.Set, set)...)
	if doc != nil {
		if other := otherFile(doc.Root); other != nil {
			return nil, other
		}
	}
	if err != nil {
		return nil, err
	}
	x, err := l.open(doc)
	x.opened = besidesNodes(file, set)
	x.options.Set = slices.Concat(l.options.Set, set)
	x.read = func(set []string) (*configs.Document, error) { return l.configs.Load(file, set...) }
	return x, err
}

// Root returns a configuration resolved with the loader's settings.
func (l *Loader) Root(file string) (configs.Value, error) {
	doc, err := l.configs.Load(file, l.options.Set...)
	if doc != nil {
		if other := otherFile(doc.Root); other != nil {
			return configs.Value{}, other
		}
	}
	if err != nil {
		return configs.Value{}, err
	}
	return doc.Root, nil
}

// Text makes the loader read src in place of the file called name.
func (l *Loader) Text(name string, src []byte) {
	o := l.options
	l.configs = configs.NewLoader(configs.Options{Inputs: o.Inputs, SetDir: o.SetDir, ReadFile: func(file string) ([]byte, error) {
		if file == name {
			return src, nil
		}
		return os.ReadFile(file)
	}})
}

// open decodes the sections that belong to the experiment itself. The
// experiment that is returned with an error lacks what was wrong.
func (l *Loader) open(doc *configs.Document) (*Experiment, error) {
	x := &Experiment{doc: doc, loader: l, options: l.options, config: doc.Resolved(), mapping: mapping.DefaultSpec()}
	var errs configs.Errors
	if v := doc.Root.Get("simulation"); v.Exists() {
		errs.Add(v.Decode(&x.sim))
	}
	if v := doc.Root.Get("mapping"); v.Exists() {
		if err := v.Decode(&x.mapping); err != nil {
			errs.Add(err)
			// What is wrong is said; the rest of the configuration is checked without it.
			cores := x.mapping.Cores
			x.mapping = mapping.DefaultSpec()
			x.mapping.Cores = cores
		}
	}
	// Sections of the language that nothing reads yet.
	for _, name := range []string{"energy"} {
		if v := doc.Root.Get(name); v.Exists() {
			errs.Add(v.Errorf(nil, "has no effect yet"))
		}
	}
	var err error
	x.inputs, err = l.inputs(doc)
	errs.Add(err)
	return x, errs.Err()
}

// inputs finds and hashes the files that the configuration names under a key
// "file" and under those that their kinds say, in the order of their names.
func (l *Loader) inputs(doc *configs.Document) ([]result.Input, error) {
	var out []result.Input
	var errs configs.Errors
	add := func(in result.Input) {
		if !slices.Contains(out, in) {
			out = append(out, in)
		}
	}
	var walk func(v configs.Value, kinds []system.Factory)
	walk = func(v configs.Value, kinds []system.Factory) {
		if kind := v.Get("kind").Text(); kind != "" { // elements of a node have no kind of their own
			kinds = slices.Concat(kinds, system.Fidelities(kind))
		}
		for _, k := range v.Keys() {
			c := v.Get(k)
			if k == "ports" && c.Kind() == configs.Map { // of a group: its keys are free names
				continue
			}
			file := k == "file" || k == "ops" || strings.HasSuffix(k, "_file") && c.Text() != "" || // an empty one is none
				slices.ContainsFunc(kinds, func(f system.Factory) bool { return slices.Contains(f.Files, k) })
			if !file || c.Kind() != configs.String {
				walk(c, kinds)
				continue
			}
			in, err := l.input(doc, c)
			if err != nil {
				errs.Add(err)
				continue
			}
			add(in)
			for _, f := range kinds {
				if f.Beside != nil {
					l.addFilesInFolder(doc, c, func(file string) []string { return f.Beside(k, file) }, add)
				}
			}
		}
		for _, c := range v.Items() {
			walk(c, kinds)
		}
	}
	walk(doc.Root, nil)
	slices.SortFunc(out, func(a, b result.Input) int { return strings.Compare(a.Name, b.Name) })
	return out, errs.Err()
}

// addFilesInFolder adds what a node finds in the folder of a file that it names.
func (l *Loader) addFilesInFolder(doc *configs.Document, v configs.Value, find func(file string) []string, add func(result.Input)) {
	path, err := doc.ResolveFile(v)
	if err != nil {
		return
	}
	for _, x := range find(path) {
		if x == "" {
			continue
		}
		name := filepath.ToSlash(filepath.Join(filepath.Dir(v.Text()), filepath.Base(x)))
		if in, err := result.ReadInput(name, x); err == nil { // a node that cannot read it says so
			add(in)
		}
	}
}

func (l *Loader) input(doc *configs.Document, v configs.Value) (result.Input, error) {
	path, err := doc.ResolveFile(v)
	if err != nil {
		return result.Input{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if in, ok := l.sums[path]; ok {
		in.Name = v.Text()
		return in, nil
	}
	in, err := result.ReadInputs(v.Text(), path)
	if err != nil {
		return result.Input{}, v.Errorf(nil, "cannot read: %v", err)
	}
	l.sums[path] = in
	return in, nil
}

// Config is the resolved configuration.
func (x *Experiment) Config() []byte { return x.config }

// Identity is the hash that names the experiment as a point of a sweep (result.Identity).
func (x *Experiment) Identity() string { return result.Identity(x.config, x.inputs) }

// Ready returns the errors that appear only when nodes have started, such as a quantum for a
// system that cannot be divided. It uses up what Load has built.
func (x *Experiment) Ready() error {
	a := x.built
	x.built = nil
	if a == nil || x.sim.Quantum == 0 {
		x.built = a
		return nil
	}
	if err := x.start(a); err != nil {
		return err
	}
	var err error
	x.built, err = x.assemble()
	return err
}

// Warnings returns the warnings that are known before the run, sorted.
func (x *Experiment) Warnings() []string {
	if x.built == nil {
		return nil
	}
	return x.built.warnings()
}

// Describe returns a short description of the experiment.
func (x *Experiment) Describe() string {
	if x.built == nil {
		return "not built"
	}
	var ws []string
	for _, w := range x.workloads {
		ws = append(ws, w.Name())
	}
	what := "no workload"
	if len(ws) > 0 {
		what = strings.Join(ws, ", ")
	}
	return fmt.Sprintf("%d nodes, %d links, %s", len(x.built.Sys.Nodes()), len(x.built.Sys.Wires()), what)
}

// host is the name of the machine, "" if it has none.
func host() string {
	h, _ := os.Hostname()
	return h
}
