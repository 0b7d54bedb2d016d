// Package chakrapb holds the messages of a Chakra execution trace that
// workloads/comm reads and writes. The Go file is generated from chakra.proto,
// which declares only those.
package chakrapb

//go:generate protoc --go_out=. --go_opt=paths=source_relative chakra.proto
