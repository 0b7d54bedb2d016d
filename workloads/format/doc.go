// Package format reads models that other tools wrote and turns them into graphs
// (workloads/graph). This package holds what all formats share: the registry All, the
// options of a reader, errors with a place, and the search for the format of a file. The
// formats are packages of their own:
//
//   - huggingface: config.json of model hubs;
//   - onnx: ONNX models;
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
// Errors are *Error, joined when there are several. They give file:line:col for text and
// the byte for binary files. No input makes a reader panic. What one input may become is
// limited: MaxDim for a dimension, MaxElements for a tensor, MaxWork multiply-accumulates
// for a graph.
//
// A new format is a type that implements Reader and adds itself to All. docs/extending.md
// shows one with its test.
package format
