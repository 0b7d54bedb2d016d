package system

import (
	"regexp"
	"strings"
)

// indices are those of elements in a name.
var indices = regexp.MustCompile(`\[[0-9]+\]`)

// A Made is a node with its kind and Spec.
type Made struct {
	Node
	// Path is the --set path of the node's entry: Chip.Core for Chip[3].Core[1]. An element with
	// its own keys has a path with its index.
	Path string
	Kind Factory
	Spec any // what Kind decodes; read-only
}

// Made lists the nodes in canonical order.
func (s *System) Made() []Made { return s.made }

// made is the element as the system shows it.
func (el *element) made() Made {
	path := el.name
	if !el.shown.Get("elements").Exists() {
		path = indices.ReplaceAllString(path, "")
	}
	if at := strings.LastIndexByte(path, '.'); el.inner && at >= 0 { // the node stands under a key
		path = path[:at+1] + strings.ToLower(path[at+1:at+2]) + path[at+2:]
	}
	return Made{Node: el.node, Path: path, Kind: el.kind, Spec: el.spec}
}
