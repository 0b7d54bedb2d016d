package configs

// A Shape is what a TextNode of a text is.
type Shape uint8

// The shapes of nodes.
const (
	DocumentNode Shape = iota + 1
	MappingNode        // Content holds keys and values in turn
	SequenceNode
	ScalarNode
	AliasNode // Alias is the node with the anchor
)

// A TextNode is a value of a text as its reader found it, before the rules of this
// package apply. Text readers return TextNodes; other code does not need them.
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

// A Reader turns YAML text into the nodes of its first two documents; each is of
// shape DocumentNode. Its errors are the plain ones of YAML: "line 3: did not find".
type Reader func(text []byte) ([]*TextNode, error)

var readText Reader

// SetReader names the reader of all texts. Package configs/yaml does so when it is
// linked.
func SetReader(r Reader) { readText = r }

const noReader = `no reader of text is linked (import _ "github.com/causeway-sim/causeway/configs/yaml")`
