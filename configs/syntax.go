package configs

import (
	"bytes"
	"regexp"
	"strconv"
)

var (
	yamlLine = regexp.MustCompile(`^(?:yaml: )?(?:line ([0-9]+): )?`)

	// The reader underneath counts lines from 0 in these and from 1 elsewhere.
	yamlEarly = regexp.MustCompile(`^did not find expected (node content|key|',' or '[\]}]'|'-' indicator|<)`)

	noAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced`)
)

// bareElement is the name of an element inside a flow mapping or list, where its
// bracket belongs to YAML.
var bareElement = regexp.MustCompile(`[{\[](?:.*?[\[{,:])?\s*([A-Z][A-Za-z0-9]*\[[0-9., :]*\])`)

func quoteIt(name []byte) string {
	return "not YAML: inside {} and [] this has to stand in quotes, \"" + string(name) + "\""
}

// syntax converts an error of the YAML reader ("yaml: line 3: did not find ...") into a place and
// a sentence.
func (p *parser) syntax(err error, src []byte) (Pos, string) {
	at := p.start()
	at.Col = 0
	m := yamlLine.FindStringSubmatch(err.Error())
	msg := err.Error()[len(m[0]):]
	if p.set > 0 {
		if loc := bareElement.FindSubmatchIndex(src); loc != nil {
			return at, quoteIt(src[loc[2]:loc[3]])
		}
		return at, "not YAML: " + msg
	}
	lines := bytes.Split(src, []byte("\n"))
	if m[1] != "" {
		at.Line, _ = strconv.Atoi(m[1])
		if yamlEarly.MatchString(msg) {
			at.Line++
		}
		at.Line = max(1, min(at.Line, len(lines)))
	}
	if a := noAnchor.FindStringSubmatch(msg); a != nil {
		used := regexp.MustCompile(`\*` + regexp.QuoteMeta(a[1]) + `\b`)
		for i, line := range lines {
			if loc := used.FindIndex(line); loc != nil {
				return Pos{p.file, i + 1, loc[0] + 1}, "no anchor &" + a[1] + " before this"
			}
		}
	}
	for i := max(at.Line-2, 0); i < min(at.Line+1, len(lines)); i++ {
		indent := lines[i][:len(lines[i])-len(bytes.TrimLeft(lines[i], " \t"))]
		if col := bytes.IndexByte(indent, '\t'); col >= 0 {
			return Pos{p.file, i + 1, col + 1}, "a tab; YAML indents with spaces"
		}
	}
	if loc := bareElement.FindSubmatchIndex(lines[at.Line-1]); loc != nil {
		at.Col = loc[2] + 1
		return at, quoteIt(lines[at.Line-1][loc[2]:loc[3]])
	}
	line := lines[at.Line-1] // the reader gives no column: the first word of the line
	at.Col = 1 + len(line) - len(bytes.TrimLeft(line, " "))
	return at, "not YAML: " + msg
}
