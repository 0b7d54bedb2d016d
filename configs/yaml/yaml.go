// Package yaml registers the YAML parser of package configs. A program that parses or loads
// configurations must link it, usually by a blank import; components/std and components/experiment
// import it. It is a separate package so that a component used alone, with its Spec as a struct,
// links no YAML parser.
package yaml

import (
	"bytes"
	"errors"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/causeway-sim/causeway/configs"
)

func init() { configs.SetReader(read) }

// read returns the first two documents of a text.
func read(text []byte) (docs []*configs.TextNode, err error) {
	d := yaml.NewDecoder(bytes.NewReader(text))
	for range 2 {
		var n yaml.Node
		if err := d.Decode(&n); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		docs = append(docs, convert(&n, map[*yaml.Node]*configs.TextNode{}))
	}
	return docs, nil
}

var shapes = map[yaml.Kind]configs.Shape{
	yaml.DocumentNode: configs.DocumentNode, yaml.MappingNode: configs.MappingNode,
	yaml.SequenceNode: configs.SequenceNode, yaml.ScalarNode: configs.ScalarNode, yaml.AliasNode: configs.AliasNode,
}

// convert copies a node. done holds what was copied, so that an alias points at the
// copy of its anchor, which may be a node that is being copied.
func convert(y *yaml.Node, done map[*yaml.Node]*configs.TextNode) *configs.TextNode {
	if n := done[y]; n != nil {
		return n
	}
	n := &configs.TextNode{
		Shape: shapes[y.Kind], Value: y.Value, Tag: y.Tag, Anchor: y.Anchor, Line: y.Line, Column: y.Column,
		Flow: y.Style&yaml.FlowStyle != 0, Tagged: y.Style&yaml.TaggedStyle != 0, Plain: y.Style == 0,
		Quoted: y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0,
	}
	done[y] = n
	if y.Alias != nil {
		n.Alias = convert(y.Alias, done)
	}
	for _, c := range y.Content {
		n.Content = append(n.Content, convert(c, done))
	}
	return n
}
