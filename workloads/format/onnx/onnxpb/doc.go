// Package onnxpb holds the messages of an ONNX model file that workloads/format
// reads. The Go file is generated from onnx.proto, which declares only those.
package onnxpb

//go:generate protoc --go_out=. --go_opt=paths=source_relative onnx.proto
