// Package plain reads the part of YAML that data files inside the program are written in, without
// the YAML parser that package configs/yaml links: mappings and lists by indentation, or in braces
// and brackets on one line; words, 'quoted' and "quoted" text without escapes; comments.
//
//	v, err := plain.Parse("ddr4.yaml", text)
//
// Left out, and errors: anchors, tags, text over several lines, mappings by indentation in items of lists. A
// file that Parse reads means the same to configs.ParseValue.
package plain

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/configs"
)

// Parse is configs.ParseValue for plain YAML. name is the file in errors.
func Parse(name string, text []byte) (configs.Value, error) {
	return configs.ParseWith(read, name, text)
}

// read implements configs.Reader.
func read(text []byte) ([]*configs.TextNode, error) {
	r := reader{}
	for i, s := range strings.Split(string(text), "\n") {
		if j := strings.IndexFunc(s, func(c rune) bool {
			return c < ' ' || c == 0x7f || c == 0x85 || c == 0x2028 || c == 0x2029 || c == 0xfeff
		}); j >= 0 {
			return nil, line{number: i + 1}.fault("%q in a line", s[j:])
		}
		s = strings.TrimRight(uncomment(s), " ")
		body := strings.TrimLeft(s, " ")
		if body != "" {
			r.lines = append(r.lines, line{i + 1, len(s) - len(body), body})
		}
	}
	if len(r.lines) == 0 {
		return nil, nil
	}
	root, err := r.block()
	if err == nil && len(r.lines) > 0 {
		err = r.lines[0].fault("is indented less or more than its neighbours")
	}
	if err != nil {
		return nil, err
	}
	return []*configs.TextNode{{Shape: configs.DocumentNode, Line: 1, Column: 1, Content: []*configs.TextNode{root}}}, nil
}

// uncomment cuts a comment off a line.
func uncomment(s string) string {
	quote := byte(0)
	for i := range len(s) {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && (i == 0 || strings.IndexByte(" [{,", s[i-1]) >= 0):
			quote = c
		case c == '#' && (i == 0 || s[i-1] == ' '):
			return s[:i]
		}
	}
	return s
}

// A line is a line with text: body is after indent blanks.
type line struct {
	number, indent int
	body           string
}

func (l line) fault(format string, args ...any) error {
	return fmt.Errorf("line %d: %s", l.number, fmt.Sprintf(format, args...))
}

// A reader holds the lines that are not read.
type reader struct{ lines []line }

// block reads the mapping or list that begins with the next line.
func (r *reader) block() (*configs.TextNode, error) {
	first := r.lines[0]
	out := &configs.TextNode{Shape: configs.MappingNode, Line: first.number, Column: first.indent + 1}
	if isItem(first.body) {
		out.Shape = configs.SequenceNode
	}
	for len(r.lines) > 0 && r.lines[0].indent == first.indent && isItem(r.lines[0].body) == isItem(first.body) {
		l := r.lines[0]
		r.lines = r.lines[1:]
		f := flow{line: l}
		if out.Shape == configs.SequenceNode {
			f.at = 2
		} else {
			key, err := f.key()
			if err != nil {
				return nil, err
			}
			out.Content = append(out.Content, key)
		}
		x, err := r.value(&f)
		if err != nil {
			return nil, err
		}
		out.Content = append(out.Content, x)
	}
	return out, nil
}

func isItem(body string) bool { return strings.HasPrefix(body, "- ") }

// value reads what follows on the line, or the block under it.
func (r *reader) value(f *flow) (*configs.TextNode, error) {
	if f.skip(); f.at < len(f.body) {
		x, err := f.value("")
		if err == nil && f.at < len(f.body) {
			err = f.fault("%q after the value", f.body[f.at:])
		}
		return x, err
	}
	if len(r.lines) > 0 && (r.lines[0].indent > f.indent || r.lines[0].indent == f.indent && isItem(r.lines[0].body)) {
		return r.block()
	}
	return f.node(configs.ScalarNode, f.at), nil
}

// A flow is a line that is read up to at.
type flow struct {
	line
	at int
}

func (f *flow) node(s configs.Shape, at int) *configs.TextNode {
	return &configs.TextNode{Shape: s, Line: f.number, Column: f.indent + at + 1, Plain: s == configs.ScalarNode}
}

func (f *flow) skip() {
	for f.at < len(f.body) && f.body[f.at] == ' ' {
		f.at++
	}
}

// key reads a key, a word, and its colon.
func (f *flow) key() (*configs.TextNode, error) {
	f.skip()
	n := f.at
	for n < len(f.body) && (f.body[n] == '_' || f.body[n] >= '0' && f.body[n] <= '9' || f.body[n]|0x20 >= 'a' && f.body[n]|0x20 <= 'z') {
		n++
	}
	if word, rest := f.body[f.at:n], f.body[n:]; word == "" || rest != ":" && !strings.HasPrefix(rest, ": ") {
		return nil, f.fault("%q where a key is due", f.body[f.at:])
	}
	k := f.node(configs.ScalarNode, f.at)
	k.Value = f.body[f.at:n]
	f.at = n + 1
	return k, nil
}

// value reads a value; plain text ends before one of the bytes of end.
func (f *flow) value(end string) (*configs.TextNode, error) {
	f.skip()
	if f.at == len(f.body) {
		return nil, f.fault("ends where a value is due")
	}
	switch c := f.body[f.at]; c {
	case '{':
		return f.several(configs.MappingNode, '}')
	case '[':
		return f.several(configs.SequenceNode, ']')
	case '"', '\'':
		n := strings.IndexByte(f.body[f.at+1:], c)
		if n < 0 || strings.IndexByte(f.body[f.at+1:f.at+1+n], '\\') >= 0 {
			return nil, f.fault("quoted text without an end, or with an escape")
		}
		x := f.node(configs.ScalarNode, f.at)
		x.Value, x.Quoted, x.Plain = f.body[f.at+1:f.at+1+n], true, false
		f.at += n + 2
		return x, nil
	case '&', '*', '!', '|', '>', '%', '@', '`', '}', ']', ',', '?', ':', '=', '<', '~':
		return nil, f.fault("%q begins no plain value", c)
	}
	x := f.node(configs.ScalarNode, f.at)
	n := len(f.body) - f.at
	if end != "" {
		if i := strings.IndexAny(f.body[f.at:], end); i >= 0 {
			n = i
		}
	}
	x.Value = strings.TrimRight(f.body[f.at:f.at+n], " ")
	if strings.Contains(x.Value, ": ") || strings.HasSuffix(x.Value, ":") || strings.HasPrefix(x.Value, "- ") || x.Value == "-" {
		return nil, f.fault("%q: a colon in plain text, or a list in a line", x.Value)
	}
	if strings.ContainsAny(x.Value, `"'`) {
		return nil, f.fault("%q: a quote in plain text", x.Value)
	}
	f.at += n
	return x, nil
}

// several reads the values in braces or brackets.
func (f *flow) several(s configs.Shape, end byte) (*configs.TextNode, error) {
	out := f.node(s, f.at)
	out.Flow = true
	for f.at++; ; {
		if f.skip(); f.at < len(f.body) && f.body[f.at] == end {
			f.at++
			return out, nil
		}
		if s == configs.MappingNode {
			k, err := f.key()
			if err != nil {
				return nil, err
			}
			out.Content = append(out.Content, k)
		}
		x, err := f.value(",]}")
		if err != nil {
			return nil, err
		}
		out.Content = append(out.Content, x)
		if f.skip(); f.at < len(f.body) && f.body[f.at] == ',' {
			f.at++
		} else if f.at == len(f.body) || f.body[f.at] != end {
			return nil, f.fault("%q is not closed", f.body)
		}
	}
}
