//go:build ignore

// Prose checks how the pages of README.md and docs read.
//
// A sentence has at most 35 words, and a paragraph (or an item of a list) at most eight
// lines. Code, tables, headings and HTML do not count. No page, file name or identifier
// uses a word of the list "Retired names" of docs/house.md. Comments of the folders plainRooms
// name their subjects: they use no word of the list vague.
//
//	.ci/prose             exit 1 where a page has more long sentences or paragraphs than it may
//	.ci/prose -v [FILE]   print them with their places
package main

import (
	"bufio"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const (
	mostWords = 35 // of a sentence
	mostLines = 8  // of a paragraph
)

// left is how many long sentences and paragraphs may remain, over all pages. Whoever
// rewrites a page lowers it to what .ci/prose prints.
const left = 0

// A finding is one place that reads badly.
type finding struct {
	file string
	line int
	what string
}

func main() {
	verbose := flag.Bool("v", false, "print each place")
	flag.Parse()
	files := flag.Args()
	if len(files) == 0 {
		files, _ = filepath.Glob("docs/*.md")
		files = append([]string{"README.md"}, files...)
	}
	var long []finding
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			fail(err)
		}
		for _, p := range paragraphs(string(text)) {
			long = append(long, p.check(f)...)
		}
	}
	names := retiredNames()
	if *verbose || len(long) > left {
		print(long)
	}
	print(names)
	words := vagueComments()
	print(words)
	fmt.Printf("%d sentences of more than %d words or paragraphs of more than %d lines; %d retired names; %d vague words in comments\n", len(long), mostWords, mostLines, len(names), len(words))
	if len(names)+len(words) > 0 || flag.NArg() == 0 && len(long) > left {
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "prose:", err)
	os.Exit(1)
}

func print(all []finding) {
	for _, f := range all {
		fmt.Printf("%s:%d: %s\n", f.file, f.line, f.what)
	}
}

// A paragraph is a run of lines of prose, or an item of a list.
type paragraph struct {
	line  int // its first line, from 1
	lines []string
}

var (
	item = regexp.MustCompile(`^\s*([-*+]|\d+\.)\s`)
	rule = regexp.MustCompile("^\\s*(```|~~~)")
)

// paragraphs cuts a page of Markdown, without code, tables, headings and HTML.
func paragraphs(text string) []paragraph {
	var out []paragraph
	var p paragraph
	end := func() {
		if len(p.lines) > 0 {
			out = append(out, p)
		}
		p = paragraph{}
	}
	code := false
	for i, line := range strings.Split(text, "\n") {
		if rule.MatchString(line) {
			end()
			code = !code
			continue
		}
		trimmed := strings.TrimSpace(line)
		switch {
		case code, trimmed == "", strings.HasPrefix(trimmed, "|"), strings.HasPrefix(trimmed, "#"), strings.HasPrefix(trimmed, "<"), strings.HasPrefix(trimmed, "["+"!"):
			end()
			continue
		case item.MatchString(line):
			end()
		case len(p.lines) == 0 && strings.HasPrefix(line, "    "): // indented code
			continue
		}
		if len(p.lines) == 0 {
			p.line = i + 1
		}
		p.lines = append(p.lines, trimmed)
	}
	end()
	return out
}

var (
	inline = regexp.MustCompile("`[^`]*`")
	link   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	stop   = regexp.MustCompile(`[.!?][)"*_]*\s+`)
	abbrev = regexp.MustCompile(`\b(e\.g|i\.e|et al|vs|Fig|Sec|cf)\.\s`)
)

// check finds the long sentences of a paragraph, and says if it is long itself. Code
// counts as one word.
func (p paragraph) check(file string) []finding {
	var out []finding
	if len(p.lines) > mostLines {
		out = append(out, finding{file, p.line, fmt.Sprintf("paragraph of %d lines", len(p.lines))})
	}
	text := strings.Join(p.lines, "\n")
	text = item.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat(" ", len(s)) })
	text = inline.ReplaceAllStringFunc(text, func(s string) string { return "code" + strings.Repeat("\n", strings.Count(s, "\n")) })
	text = link.ReplaceAllString(text, "$1")
	text = abbrev.ReplaceAllString(text, "$1 ")
	line := p.line
	for len(text) > 0 {
		n := len(text)
		if at := stop.FindStringIndex(text); at != nil {
			n = at[1]
		}
		sentence := text[:n]
		if words := strings.Fields(sentence); len(words) > mostWords {
			out = append(out, finding{file, line, fmt.Sprintf("sentence of %d words: %s ...", len(words), strings.Join(words[:8], " "))})
		}
		line += strings.Count(sentence, "\n")
		text = text[n:]
	}
	return out
}

// retiredNames finds files and declared identifiers that have a retired name.
func retiredNames() []finding {
	retired := retired()
	var out []finding
	list, err := exec.Command("git", "ls-files", "*.go").Output()
	if err != nil {
		fail(err)
	}
	for _, file := range strings.Fields(string(list)) {
		if slices.Contains(retired, strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".go"), "_test")) {
			out = append(out, finding{file, 1, "a retired file name: docs/house.md says what to call it"})
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			fail(err)
		}
		for _, d := range f.Decls {
			for _, name := range declared(d) {
				if slices.Contains(retired, name) {
					out = append(out, finding{file, 1, name + " is a retired name: docs/house.md says what to call it"})
				}
			}
		}
	}
	return out
}

// declared are the names that a declaration introduces: a function or method, or types with
// their fields.
func declared(d ast.Decl) (names []string) {
	if f, ok := d.(*ast.FuncDecl); ok {
		return []string{f.Name.Name}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			names = append(names, n.Name.Name)
		case *ast.StructType:
			for _, f := range n.Fields.List {
				for _, name := range f.Names {
					names = append(names, name.Name)
				}
			}
		}
		return true
	})
	return names
}

var row = regexp.MustCompile("^\\| `(\\w+)` \\|")

// retired reads the table "Retired names" of docs/house.md.
func retired() []string {
	f, err := os.Open("docs/house.md")
	if err != nil {
		fail(err)
	}
	defer f.Close()
	var out []string
	in := false
	for s := bufio.NewScanner(f); s.Scan(); {
		if strings.HasPrefix(s.Text(), "#") {
			in = s.Text() == "## Retired names"
		}
		if m := row.FindStringSubmatch(s.Text()); in && m != nil {
			out = append(out, m[1])
		}
	}
	return out
}

// plainRooms are the folders whose comments have no vague words, outside of tests.
var plainRooms = []string{"accelerators", "cmd", "components", "configs", "memory", "noc", "workloads"}

// vague finds words that stand for a subject that the comment should name.
var vague = regexp.MustCompile(`(?i)\b(nobody|whoever|somebody|anybody|has\s+(//\s*)?the\s+(//\s*)?words)\b`)

// vagueComments finds vague words in comments of plainRooms.
func vagueComments() []finding {
	list, err := exec.Command("git", append([]string{"ls-files", "--"}, plainRooms...)...).Output()
	if err != nil {
		fail(err)
	}
	var out []finding
	for _, file := range strings.Fields(string(list)) {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			fail(err)
		}
		for _, g := range f.Comments {
			var text strings.Builder // each line of the group on a line
			for _, c := range g.List {
				text.WriteString(c.Text + "\n")
			}
			for _, at := range vague.FindAllStringIndex(text.String(), -1) {
				line := fset.Position(g.Pos()).Line + strings.Count(text.String()[:at[0]], "\n")
				out = append(out, finding{file, line, fmt.Sprintf("%q in a comment: name the subject", text.String()[at[0]:at[1]])})
			}
		}
	}
	return out
}
