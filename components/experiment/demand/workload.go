package demand

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/fusion"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/parallel"
	"github.com/causeway-sim/causeway/workloads/schedule"
	"github.com/causeway-sim/causeway/workloads/serving"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Spec is the workload section, or one item of workloads.
type Spec struct {
	Name     string            `yaml:"name" jsonschema:"description=Name in layer tables; needed where there are several workloads"`
	Model    string            `yaml:"model" jsonschema:"description=Name of a built-in model; or the path of a published one on a model hub, as Qwen/Qwen3-32B"`
	File     configs.Value     `yaml:"file" jsonschema:"description=File of a model, or of a communication trace (with %d for the rank); its format is recognised"`
	Ops      configs.Value     `yaml:"ops" jsonschema:"description=Single operators: a CSV file or a list of rows (op and its sizes); each runs by itself and has a metric time"`
	Ranks    int               `yaml:"ranks" jsonschema:"minimum=1,description=Ranks of a communication trace, to be checked; left out: as many as it has"`
	Batch    int               `yaml:"batch" jsonschema:"minimum=1,description=Images or requests; left out: the model or file decides"`
	Sequence int               `yaml:"sequence" jsonschema:"minimum=1,description=Tokens per request"`
	Context  int               `yaml:"context" jsonschema:"minimum=1,description=Entries of the key/value cache that are read"`
	Phase    string            `yaml:"phase" jsonschema:"description=prefill or decode"`
	Experts  Experts           `yaml:"experts" jsonschema:"description=How tokens fall on the experts of a mixture: even; uniform; {name: zipf and exponent: 1}; {name: trace and file: shares.csv}"`
	Layers   Layers            `yaml:"layers" jsonschema:"description=Layers of a transformer that are carried out, as 0..3; left out: all, and what comes before and after"`
	Image    int               `yaml:"image" jsonschema:"minimum=1,description=Height and width of images in pixels"`
	DType    DTypes            `yaml:"dtype" jsonschema:"description=Element type; one or per role"`
	Sparsity Sparsity          `yaml:"sparsity" jsonschema:"description=Structured sparsity of weights such as 2:4; or a pattern per pattern of tensor names"`
	Symbols  map[string]int    `yaml:"symbols" jsonschema:"description=Values of symbolic dimensions of the file"`
	Unknown  map[string]string `yaml:"unknown" jsonschema:"description=What operators of an ONNX file without a rule are taken for, by name: elementwise or free"`
	Arrival  units.Time        `yaml:"arrival" jsonschema:"description=When the workload becomes known"`
	// The following keys are for a schedule node.
	Arrivals   schedule.ArrivalName `yaml:"arrivals" doc:"When requests arrive after that: by name (periodic, poisson, trace) with parameters; left out: all at once"`
	Frames     int                  `yaml:"frames" jsonschema:"minimum=1,maximum=1048576,description=Requests; left out: one or all of a trace"`
	Chance     *float64             `yaml:"probability" jsonschema:"minimum=0,maximum=1,description=Chance of each of the requests to be made; drawn by the seed; left out: all are"`
	Deadline   units.Time           `yaml:"deadline" jsonschema:"description=Time from the arrival of a request until it should be done"`
	Deployment Deployment           `yaml:"deployment" doc:"How chips share a model that a node of kind serve answers for, whose steps are priced by the kernels of one linked chip without a graph of the whole model"`
	Parallel   Parallel             `yaml:"parallel" doc:"How several chips share the model; each has a node of kind nic"`
	Training   Training             `yaml:"training" doc:"A step of training in place of one of inference: forward, backward, gradients of all replicas added up, update; batch is that of a microbatch"`
	After      string               `yaml:"after" jsonschema:"description=Workload whose request of the same number must be done before one of this begins"`
	// The following keys are for a serve node.
	Requests serving.Source `yaml:"requests" doc:"Requests that a node of kind serve answers: a file, or how many of which size"`
	FormOf   string         `yaml:"form_of" jsonschema:"description=Workload that this is a smaller form of (a supernet): it has no requests of its own; policy dream with switch carries some out as this"`
	Priority int            `yaml:"priority" jsonschema:"description=More is more urgent; for policies that look at it"`
	Cores    string         `yaml:"cores" doc:"Nodes that carry it out, as links name them: Core, Chip[0..3], Chip[0,2].Core, or several with commas between; ranks of a parallel model are on them in this order. Those of mapping by default"`
	// Placement is one of topology.Placements.
	Placement string `yaml:"placement" jsonschema:"enum=linear,enum=random,enum=router,enum=group,enum=spread" doc:"With a schedule or a server: which chips the ranks of the model get, by the terminals of their interfaces, out of cores or else of those that no other workload of the node has: linear (the first), random, router or group (those of routers or groups in random order, each filled up), spread (one of each group in turn). Workloads choose by name"`
	// Attention is Fused or Unfused; left out: see defaultAttention.
	Attention string `yaml:"attention" jsonschema:"enum=fused,enum=unfused,description=Attention as one operator; or its products and softmax one after the other"`
}

// Parallel is the key parallel of a workload: how chips share a model.
type Parallel struct {
	Tensor   int     `yaml:"tensor" jsonschema:"minimum=1,maximum=4096" doc:"Chips that share each operator: products by columns and rows, attention by heads"`
	KV       int     `yaml:"kv" jsonschema:"minimum=1,maximum=4096" doc:"Chips that share the keys and values of the same heads by tokens while they attend (Helix), each of which attends to its part; kv times tensor chips share all other operators"`
	Hop      Parts   `yaml:"hop" doc:"Of kv: parts by requests in which attention goes, so that the exchange of one goes on while the next attends (HOP-B); on: 2; off: none"`
	Sequence bool    `yaml:"sequence" doc:"Of tensor: what lies between products is cut by tokens, and an all_reduce is a reduce_scatter and an all_gather"`
	Overlap  Parts   `yaml:"overlap" doc:"Of tensor: parts by tokens in which a step goes, so that the collectives of one go on while another is computed; on: 2; off: none"`
	T3       Parts   `yaml:"t3" doc:"Of tensor: stages by rows of a product that ranks add up, each of which the collective follows at once; on: 4; off: the collective follows the whole product"`
	Pipeline int     `yaml:"pipeline" jsonschema:"minimum=1,maximum=4096" doc:"Stages of about equal work, one per chip or per tensor chips"`
	Data     int     `yaml:"data" jsonschema:"minimum=1,maximum=4096" doc:"Of training: replicas of the model, each with samples of its own"`
	Zero     int     `yaml:"zero" jsonschema:"minimum=0,maximum=3" doc:"Of data: what replicas share out: 1 the states of the optimiser, 2 gradients too, 3 weights too; 0: nothing, gradients are added up by an all_reduce"`
	Context  int     `yaml:"context" jsonschema:"minimum=1,maximum=4096" doc:"Chips that have parts of the tokens of the same samples and gather the keys and values of each other: in training of data, else that many. The model is carried out with sequence over as many tokens on each"`
	Ring     string  `yaml:"ring" jsonschema:"enum=contiguous,enum=zigzag,enum=striped" doc:"Of context: keys and values go round a ring, and a chip attends to those it has while the next come, in place of a gather of all; tokens lie in a run on each chip, in two runs from both ends, or every so many, by which chips have equal work under a causal mask"`
	Expert   int     `yaml:"expert" jsonschema:"minimum=1,maximum=4096" doc:"Chips that share the experts of mixtures, each with samples of its own: in training of data, else that many replicas"`
	Capacity float64 `yaml:"capacity" jsonschema:"minimum=0,maximum=1000" doc:"Of expert: places of an expert for the tokens of a chip, over an even share; tokens beyond are dropped; 0: as many as the fullest expert needs"`
	Schedule string  `yaml:"schedule" jsonschema:"enum=gpipe,enum=1f1b,enum=interleaved,enum=auto" doc:"Of pipeline in training: the order of forward and backward passes; auto is interleaved with chunks, else 1f1b, and goes with one stage too; default 1f1b"`
	Chunks   int     `yaml:"chunks" jsonschema:"minimum=1,maximum=1024" doc:"Of schedule interleaved: parts of the model on each stage"`
	Chips    int     `yaml:"chips" jsonschema:"minimum=1,maximum=1048576" doc:"Of training: chips in all, in place of data: tensor x pipeline times replicas"`
	// Represented is RepresentedStages or RepresentedAll.
	Represented string `yaml:"represented" jsonschema:"enum=all,enum=stages" doc:"Of training: ranks that are nodes of the system: all, or one of each stage (stages), which stands for all others of the stage; they need nodes of kind communicator; default all"`
	Shift       Shift  `yaml:"shift" doc:"Cores of one chip that share every operator and pass operands on in rings"`
}

// Ranks is the number of chips that share the model; with shift, of cores and of the ranks that
// load their operands.
func (p *Parallel) Ranks() int {
	if p.Shift.Cores > 0 {
		return p.Shift.ranks()
	}
	if p.Represented == RepresentedStages {
		return p.Grid().Pipeline
	}
	return p.Grid().Ranks()
}

// Values of Parallel.Represented.
const (
	RepresentedAll    = "all"
	RepresentedStages = "stages"
)

// Sharing is the number of chips that share each operator.
func (p *Parallel) Sharing() int { return max(p.Tensor, 1) * max(p.KV, 1) }

// Grid is the grid of ranks.
func (p *Parallel) Grid() parallel.Grid {
	data := max(p.Data, p.Expert, p.Context, 1)
	if p.Chips > 0 {
		data = max(1, p.Chips/(p.Sharing()*max(p.Pipeline, 1)))
	}
	return parallel.Grid{Tensor: p.Sharing(), Data: data, Pipeline: max(p.Pipeline, 1)}
}

// A Workload is one network: its graph, and the keys of its section.
type Workload struct {
	Spec    Spec
	At      configs.Value // the section, for errors
	Graph   *graph.Graph
	Unfused *graph.Graph // Graph before attention was made one operator
	Before  [][2]int32   // pairs of operators of Graph: the first waits for the second
	// Plan is set if Graph is cut into pieces; Source is the graph before that.
	Plan   *fusion.Plan
	Source *graph.Graph
	// Program replaces the graph if the file is a communication trace.
	Program *comm.Program
	Path    string // of the file; "" for a built-in model
	// Rows: the graph is a list of operators, each a row.
	Rows     bool
	Requests int          // of a schedule; 0: the workload is executed once
	Times    []units.Time // of their arrival
	Drawn    int          // requests before Draw
	Nth      []int32      // number of each request before Draw; nil: all were kept
	Rank     int          // of the chips that share the model
	Groups   []zoo.Group  // of a batch of a model that is served
	OfBatch  bool         // Groups are those of a batch, not of the whole model
	// Activations is the peak of bytes of activations that training keeps for backward passes.
	Activations int64
	Only        []int  // layers that are built; nil: all
	Format      string // of the file, a name in format.All
}

// Decode reads the sections workload and workloads.
func Decode(doc *configs.Document) ([]*Workload, error) {
	one, several := doc.Root.Get("workload"), doc.Root.Get("workloads")
	var items []configs.Value
	switch {
	case one.Exists() && several.Exists():
		return nil, several.Errorf(nil, "there is a workload and a list of workloads; one of them must go")
	case one.Exists():
		items = []configs.Value{one}
	default:
		items = several.Items()
	}
	var errs configs.Errors
	var out []*Workload
	names := map[string]bool{}
	for _, v := range items {
		if v.Kind() != configs.Map {
			errs.Add(v.Errorf(nil, "a workload is a mapping with model: or file:"))
			continue
		}
		w := &Workload{At: v, Spec: Spec{DType: DTypes{DTypes: graph.Uniform(graph.Int8)}}}
		if err := v.Decode(&w.Spec); err != nil {
			errs.Add(err)
			continue
		}
		if err := w.sizesOfRequests(); err != nil {
			errs.Add(err)
			continue
		}
		if err := w.oneOfEach(doc); err != nil {
			errs.Add(err)
			continue
		}
		errs.Add(w.Build(doc))
		if w.Spec.Experts.Name != "" && (w.Program != nil || w.Spec.Ops.Exists()) {
			errs.Add(v.Get("experts").Errorf(nil, "has no effect on a list of operators or a communication trace (used by: mixtures of experts)"))
		}
		if w.Spec.Layers.Given && (w.Program != nil || w.Spec.Ops.Exists()) {
			errs.Add(v.Get("layers").Errorf(nil, "has no effect on a list of operators or a communication trace (used by: models with numbered layers)"))
		}
		if (w.Graph != nil || w.Program != nil) && names[w.Name()] {
			errs.Add(v.Errorf(nil, "two workloads are called %q; give one of them a name", w.Name()))
		}
		names[w.Name()] = true
		out = append(out, w)
	}
	return out, errs.Err()
}

// Name is the name of the section, or else of its model or file.
func (w *Workload) Name() string {
	switch {
	case w.Spec.Name != "":
		return w.Spec.Name
	case w.Spec.Model != "":
		return w.Spec.Model
	case w.Path == "":
		return "ops"
	}
	return strings.TrimSuffix(filepath.Base(w.Path), filepath.Ext(w.Path))
}

// Build builds the graph and sets its data types.
func (w *Workload) Build(doc *configs.Document) error {
	s := &w.Spec
	draw, err := s.Experts.draw(doc)
	if err != nil {
		return err
	}
	switch {
	case s.Ops.Exists():
		return w.buildOps(doc)
	case s.Ranks > 0 && s.Model != "":
		return w.At.Get("ranks").Errorf(nil, "has no effect on a model (used by: communication traces)")
	case s.Model != "" && s.File.Exists():
		return w.At.Errorf(nil, "there is a model and a file; one of them must go (null takes a key away, as in --set workload.model=null)")
	case s.Model == "" && !s.File.Exists():
		return w.At.Errorf(nil, "a workload needs model:, file: or ops:")
	case s.Model != "":
		err = w.buildModel(draw)
	default:
		if done, err := w.openProgram(doc); done {
			return err
		}
		err = w.openModel(doc, draw)
	}
	if err != nil {
		return err
	}
	if len(s.Unknown) > 0 && w.Format != "onnx" {
		return w.At.Get("unknown").Errorf(nil, "has no effect on %s (used by: ONNX files)", cmp.Or(w.Format, "a built-in model"))
	}
	if err := w.mixed(); err != nil {
		return err
	}
	if err := w.keepLayers(); err != nil {
		return err
	}
	if err := w.setTypes(); err != nil {
		return err
	}
	if err := w.thin(); err != nil {
		return err
	}
	w.Unfused = w.Graph
	return nil
}

// buildModel makes the graph of a built-in model.
func (w *Workload) buildModel(draw zoo.Draw) (err error) {
	s := &w.Spec
	hub := format.IsModel(s.Model)
	if _, ok := zoo.All.Entry(s.Model); !ok && !hub {
		return w.At.Get("model").Errorf(zoo.All.Names(), "unknown model %q", s.Model)
	}
	if hub {
		if _, ok := format.Model(s.Model); !ok {
			return unknownModel(w.At.Get("model"), s.Model)
		}
	}
	if len(s.Symbols) > 0 {
		return w.At.Get("symbols").Errorf(nil, "a built-in model has no symbolic dimensions")
	}
	sequence, context, err := w.tokens()
	if err != nil {
		return err
	}
	if hub {
		if s.Image != 0 {
			return w.At.Get("image").Errorf(nil, "has no effect on %s", s.Model)
		}
		w.Graph, err = format.BuildModel(s.Model, format.Options{Batch: s.Batch, Sequence: sequence, Context: context, Phase: s.Phase,
			DTypes: s.DType.read(), Experts: draw, Groups: w.Groups, Only: w.Only})
		return w.locateAll(err)
	}
	w.Graph, err = zoo.Build(s.Model, zoo.Params{Batch: s.Batch, Sequence: sequence, Context: context, Phase: s.Phase, Image: s.Image, Groups: w.Groups, Only: w.Only, Experts: draw})
	return w.locateAll(err)
}

// unknownModel is the error of a path of no published model, with those of the same owner.
func unknownModel(at configs.Value, path string) error {
	owner, _, _ := strings.Cut(path, "/")
	var want []string
	for _, p := range format.Models() {
		if strings.HasPrefix(p, owner+"/") {
			want = append(want, p)
		}
	}
	if len(want) == 0 {
		want = format.Models()
	}
	return at.Errorf(want, "unknown model %q (a config.json is read with file:)", path)
}

// tokens are those that a chip runs of each request, and that it attends to.
func (w *Workload) tokens() (sequence, context int, err error) {
	s, n := &w.Spec, w.Spec.Parallel.Context
	if n <= 1 {
		return s.Sequence, s.Context, nil
	}
	at := w.At.Get("parallel").Get("context")
	switch {
	case w.At.Get("requests").Exists():
		return 0, 0, at.Errorf(nil, "is not built for a server, whose batches are tokens of many requests (want tensor)")
	case s.Phase == zoo.Decode:
		return 0, 0, at.Errorf(nil, "is for prefill: phase is %s (want kv)", s.Phase)
	case s.Sequence == 0 || s.Sequence%n != 0:
		return 0, 0, at.Errorf(nil, "%d chips share the tokens of a request, and sequence is %d (want a multiple)", n, s.Sequence)
	case s.Context > 0 && s.Context != s.Sequence:
		return 0, 0, at.Errorf(nil, "chips share the tokens of a request that has no others before (want context: %d, or none)", s.Sequence)
	}
	return s.Sequence / n, s.Sequence, nil
}

// openModel reads the graph from a file.
func (w *Workload) openModel(doc *configs.Document, draw zoo.Draw) (err error) {
	s := &w.Spec
	if s.Ranks > 0 {
		return w.At.Get("ranks").Errorf(nil, "has no effect on a model (used by: communication traces)")
	}
	if s.Image != 0 {
		return w.At.Get("image").Errorf(nil, "has no effect on a file (used by: model)")
	}
	if w.Path, err = doc.ResolveFile(s.File); err != nil {
		return err
	}
	sequence, context, err := w.tokens()
	if err != nil {
		return err
	}
	w.Graph, w.Format, err = format.Open(w.Path, format.Options{
		Batch: s.Batch, Sequence: sequence, Context: context, Phase: s.Phase, Symbols: s.Symbols, Name: s.Name, DTypes: s.DType.read(), Experts: draw, Groups: w.Groups, Only: w.Only, Unknown: s.Unknown,
	})
	return w.locateAll(err)
}

// locateAll points each error about the model at its key. That of a file has a position of
// its own.
func (w *Workload) locateAll(err error) error {
	var fe *format.Error
	if errors.As(err, &fe) && fe.Unknown != "" {
		return w.At.Get("unknown").Get(fe.Unknown).Errorf(fe.Want, "%s", strings.TrimPrefix(fe.Msg, "unknown: "))
	}
	if err == nil || fe != nil {
		return err
	}
	var errs configs.Errors
	for _, e := range configs.Each(err) {
		errs.Add(w.locate(e))
	}
	return errs.Err()
}

// locate points an error about a model's parameter ("bert: sequence is 9999 ...",
// "vgg16: has no parameter image ...") at that key.
func (w *Workload) locate(err error) error {
	about, _, _ := strings.Cut(err.Error(), "(")
	for _, key := range []string{"batch", "sequence", "context", "phase", "image"} {
		if v := w.At.Get(key); v.Exists() && (strings.Contains(about, ": "+key+" is ") || strings.Contains(about, "no parameter "+key+" ")) {
			return v.Errorf(nil, "%v", err)
		}
	}
	return w.At.Errorf(nil, "%v", err)
}

// Placed returns the graph whose tensors are placed in memory.
func (w *Workload) Placed() *graph.Graph {
	if w.Source != nil {
		return w.Source
	}
	return w.Graph
}

// Graph builds the workload of a configuration that has only that section.
func Graph(name string, src []byte, o configs.Options) (*graph.Graph, error) {
	doc, err := configs.Parse(name, src, o)
	if err != nil {
		return nil, err
	}
	ws, err := Decode(doc)
	if err != nil {
		return nil, err
	}
	if len(ws) != 1 {
		return nil, fmt.Errorf("%s: want one workload, have %d", name, len(ws))
	}
	if ws[0].Graph == nil {
		return nil, fmt.Errorf("%s: a communication trace has no layers", ws[0].Name())
	}
	return ws[0].Graph, nil
}
