package onnx

import (
	"errors"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/format/onnx/wire"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

type reader struct{}

func init() {
	format.All.Add(registry.Entry[format.Reader]{
		Name:   "onnx",
		Doc:    "ONNX model: shapes are inferred from the inputs, shape arithmetic is folded, weights are not read.",
		Source: "ONNX 1.20, onnx.proto3 and the operator documentation of opsets 1 to 24",
		New:    reader{},
	})
}

// Sniff implements Reader: the head must be a walk over fields of ModelProto.
func (reader) Sniff(name string, head []byte) int {
	md := (&onnxpb.ModelProto{}).ProtoReflect().Descriptor()
	known, graph := 0, false
	b := head
	for len(b) > 0 {
		num, typ, n := protowire.ConsumeTag(b)
		if n < 0 || num > 100 {
			break
		}
		fd := md.Fields().ByNumber(num)
		if fd != nil && wire.TypeOf(fd) != typ {
			return 0
		}
		if num == 7 { // graph
			graph = true
			known++
			break // its content is deeper than the head shows
		}
		if fd != nil {
			known++
		}
		m := protowire.ConsumeFieldValue(num, typ, b[n:])
		if m < 0 {
			break
		}
		b = b[n+m:]
	}
	switch {
	case graph && known >= 2:
		return 80
	case known >= 2 && !format.IsText(head):
		return 40
	case known >= 1 && strings.HasSuffix(name, ".onnx"):
		return 20
	case strings.HasSuffix(name, ".onnx"):
		return 1
	}
	return 0
}

// parseONNX reads the description of a model and leaves its weights alone.
func parseONNX(src format.Source) (*onnxpb.ModelProto, error) {
	m := &onnxpb.ModelProto{}
	r := wire.Reader{File: src.Name, R: src.R, Size: src.Size, Keep: func(fd protoreflect.FieldDescriptor, n int64) bool {
		return fd.Parent().Name() != "TensorProto" || !strings.HasSuffix(string(fd.Name()), "_data") || n <= node.MaxConstBytes
	}}
	var broken *format.Error
	switch err := r.Decode(m); {
	case errors.As(err, &broken):
		return nil, err
	case err != nil:
		return nil, &format.Error{File: src.Name, Msg: "not an ONNX model: " + err.Error()}
	}
	return m, nil
}

// Read implements Reader.
func (reader) Read(src format.Source, o format.Options) (*graph.Graph, error) {
	m, err := parseONNX(src)
	if err != nil {
		return nil, err
	}
	if m.Graph == nil {
		return nil, &format.Error{File: src.Name, Offset: src.Size, Msg: "the file holds no graph; is it cut off, or no ONNX model?"}
	}
	if len(m.OpsetImport) == 0 && m.IrVersion >= 3 {
		return nil, &format.Error{File: src.Name, Offset: src.Size, Msg: "the file names no operator set, which IR version 3 demands; is it cut off?"}
	}
	g, err := node.Import(src.Name, m, o, rules)
	if err != nil {
		return nil, err
	}
	if err := format.CheckWork(g); err != nil {
		return nil, &format.Error{File: src.Name, Offset: -1, Msg: err.Error()}
	}
	return g, nil
}
