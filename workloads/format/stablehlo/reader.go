package stablehlo

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/graph"
)

type reader struct{}

func init() {
	format.All.Add(registry.Entry[format.Reader]{
		Name:   "stablehlo",
		Doc:    "StableHLO as text (MLIR), as JAX and PyTorch/XLA print it: calls and counted loops are expanded, weights are not read.",
		Source: "StableHLO 1.13, specification and printed forms of the dialects stablehlo, mhlo, chlo, func and sdy",
		New:    reader{},
	})
}

// Sniff implements Reader.
func (reader) Sniff(name string, head []byte) int {
	if !format.IsText(head) {
		return 0
	}
	sure := 0
	for _, word := range []string{"stablehlo.", "mhlo.", "func.func", "builtin.module", "module @", "module {", "tensor<", "#loc"} {
		if bytes.Contains(head, []byte(word)) {
			sure += 25
		}
	}
	switch {
	case strings.HasSuffix(name, ".mlir"):
		sure += 30
	case sure < 50:
		return 0
	}
	return min(sure, 90)
}

// maxFile bounds the bytes of a file.
const maxFile = 4 << 30

// Read implements Reader.
func (reader) Read(src format.Source, o format.Options) (*graph.Graph, error) {
	if err := unsupported(src.Name, o); err != nil {
		return nil, err
	}
	text, err := src.ReadAll(maxFile)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(text, []byte("ML\xefR")) {
		return nil, &format.Error{File: src.Name, Offset: 0, Msg: "this is MLIR bytecode; write it as text (stablehlo-translate --deserialize, or as_text() in JAX)"}
	}
	m, err := parse(src.Name, text)
	if err != nil {
		return nil, err
	}
	g, err := m.graph(format.GraphName(o, src.Name))
	if err != nil {
		return nil, err
	}
	if err := format.CheckWork(g); err != nil {
		return nil, &format.Error{File: src.Name, Line: 1, Col: 1, Msg: err.Error()}
	}
	return g, nil
}

// unsupported reports options that a program of fixed shapes cannot follow.
func unsupported(file string, o format.Options) error {
	for _, x := range []struct {
		name string
		set  bool
	}{{"batch", o.Batch > 1}, {"sequence", o.Sequence > 0}, {"context", o.Context > 0}, {"symbols", len(o.Symbols) > 0}} {
		if x.set {
			return &format.Error{File: file, Line: 1, Col: 1, Msg: fmt.Sprintf("the shapes of this program are fixed, so that %s cannot be set; export it for that size", x.name)}
		}
	}
	return nil
}
