package format

import (
	"maps"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// models are configurations of published models by their path on a model hub (owner/name).
var models = map[string][]byte{}

// AddModel adds the configuration of a model; a path that is there already is a mistake of the
// program.
func AddModel(path string, config []byte) {
	if _, twice := models[path]; twice {
		panic("format: model " + path + " is added twice")
	}
	models[path] = config
}

// Models lists the paths of published models, sorted.
func Models() []string { return slices.Sorted(maps.Keys(models)) }

// Model is the configuration of a published model, as config.json.
func Model(path string) (Source, bool) {
	config, ok := models[path]
	return Bytes(path+"/config.json", config), ok
}

// IsModel reports whether a name has the form of a path of a published model.
func IsModel(name string) bool {
	owner, rest, two := strings.Cut(name, "/")
	return two && owner != "" && rest != "" && !strings.Contains(rest, "/")
}

// BuildModel makes the graph of a published model.
func BuildModel(path string, o Options) (*graph.Graph, error) {
	src, ok := Model(path)
	if !ok {
		return nil, &Error{File: path, Msg: "unknown model", Want: Models()}
	}
	if o.Name == "" {
		_, o.Name, _ = strings.Cut(path, "/")
	}
	g, _, err := Read(src, o)
	return g, err
}

// A Described is a reader that can describe a language model before its graph is made.
type Described interface {
	// Decoder is the language model of a source, without sizes of a batch.
	Decoder(src Source) (zoo.Decoder, error)
	// Stored is the element types that a source says; ok is false if it says types that are not
	// known.
	Stored(src Source) (s Stored, ok bool, err error)
}
