// Package format reads models of other tools as graphs (workloads/graph). It holds the parts
// common to all formats: the registry All, options, errors with a place, and detection of the
// format of a file. Each format is a package:
//
//   - huggingface: config.json of model hubs;
//   - onnx: ONNX models;
//   - stablehlo: programs of JAX and PyTorch/XLA as text;
//   - torchexport: graphs of torch.export, as the Python package writes them;
//   - table: text files with a line per layer (SCALE-Sim topologies, NVDLA's sheet).
//
// A program imports the formats that it wants to read; components/std imports them all.
// Open finds the format by the content of the file.
//
//	import (
//		"github.com/causeway-sim/causeway/workloads/format"
//		_ "github.com/causeway-sim/causeway/workloads/format/onnx"
//	)
//
//	g, name, err := format.Open("resnet50.onnx", format.Options{Batch: 4})
//
// Errors are *Error, joined if there are several, with file:line:col for text and the byte for
// binary files. No input makes a reader panic. Sizes are limited: MaxDim for a dimension,
// MaxElements for a tensor, MaxWork multiply-accumulates for a graph. Left out: writing models,
// and values of weights.
//
// A new format is a type that implements Reader and adds itself to All. docs/extending.md
// shows one with its test.
package format
