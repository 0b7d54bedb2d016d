package configs

// A Shape is the kind of a TextNode.
type Shape uint8

// The shapes of nodes.
const (
	DocumentNode Shape = iota + 1
	MappingNode        // Content holds keys and values in turn
	SequenceNode
	ScalarNode
	AliasNode // Alias is the node with the anchor
)

// A TextNode is a node of a YAML text as parsed, before the rules of this package apply. Only
// Readers make TextNodes.
type TextNode struct {
	Shape        Shape
	Value        string // of a scalar, as written without its quotes
	Tag, Anchor  string
	Flow         bool // in braces or brackets
	Tagged       bool // Tag was written
	Quoted       bool // in quotes or a block
	Plain        bool // with no style at all
	Line, Column int  // from 1
	Content      []*TextNode
	Alias        *TextNode
}

// A Reader parses YAML text and returns its first two documents, of shape DocumentNode. Its errors
// are those of the YAML parser: "line 3: did not find".
type Reader func(text []byte) ([]*TextNode, error)

var readText Reader

// SetReader sets the reader of all texts. Package configs/yaml calls it in its init function.
func SetReader(r Reader) { readText = r }

const noReader = `no reader of text is linked (import _ "github.com/causeway-sim/causeway/configs/yaml")`
