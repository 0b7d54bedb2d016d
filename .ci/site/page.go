package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

//go:embed style.css
var style string

//go:embed page.html
var layout string

var shell = template.Must(template.New("page").Parse(layout))

// A page is one Markdown file.
type page struct {
	file, name, title string
	source            []byte
}

// A site is all pages, and the files of the repository that they link to.
type site struct {
	root, out string
	pages     []page
	names     map[string]string // of pages in the site, by path in the repository
	wanted    map[string]string // names in the site of other files, by path in the repository
}

var firstHeading = regexp.MustCompile(`(?m)^# +(.+?) *$`)

// fenceFile is the first line of a block that is a file: its name stands over it.
var fenceFile = regexp.MustCompile("(?m)^```(\\w+) ([\\w./-]+)$")

func (s *site) read(file string) error {
	src, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	m := firstHeading.FindSubmatch(src)
	if m == nil {
		return fmt.Errorf("%s: has no heading", file)
	}
	rel, err := filepath.Rel(s.root, file)
	if err != nil {
		return err
	}
	s.names[filepath.ToSlash(rel)] = pageName(file)
	src = fenceFile.ReplaceAll(src, []byte("<p class=\"file\">$2</p>\n\n```$1"))
	s.pages = append(s.pages, page{filepath.ToSlash(rel), pageName(file), strings.ReplaceAll(string(m[1]), "`", ""), src})
	return nil
}

// write renders a page.
func (s *site) write(p *page) error {
	md := goldmark.New(
		goldmark.WithExtensions(extension.GFM),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(html.WithUnsafe()), // the pages are our own; they have <img> and <a id>
	)
	doc := md.Parser().Parse(text.NewReader(p.source), parser.WithContext(parser.NewContext(parser.WithIDs(&slugs{used: map[string]bool{}}))))
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		var err error
		switch n := n.(type) {
		case *ast.Link:
			n.Destination, err = s.resolve(p, n.Destination)
		case *ast.Image:
			n.Destination, err = s.resolve(p, n.Destination)
		}
		return ast.WalkContinue, err
	})
	if err != nil {
		return err
	}
	var body bytes.Buffer
	if err := md.Renderer().Render(&body, p.source, doc); err != nil {
		return err
	}
	content, err := s.attributes(p, body.Bytes())
	if err != nil {
		return err
	}
	var b bytes.Buffer
	err = shell.Execute(&b, map[string]any{"Title": p.title, "Content": template.HTML(content), "Menu": s.menu(p)})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.out, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.out, p.name), b.Bytes(), 0o644)
}

var source = regexp.MustCompile(`(<(?:img|source)[^>]*? (?:src|srcset)=")([^"]+)(")`)

// attributes resolves pictures in HTML of the page, and lets wide tables scroll by themselves.
func (s *site) attributes(p *page, body []byte) ([]byte, error) {
	var failed error
	body = source.ReplaceAllFunc(body, func(m []byte) []byte {
		parts := source.FindSubmatch(m)
		if s.known(string(parts[2])) {
			return m
		}
		to, err := s.resolve(p, parts[2])
		if err != nil {
			failed = err
		}
		return append(append(append([]byte{}, parts[1]...), to...), parts[3]...)
	})
	body = bytes.ReplaceAll(body, []byte("<table>"), []byte(`<div class="wide"><table>`))
	return bytes.ReplaceAll(body, []byte("</table>"), []byte("</table></div>")), failed
}

// known reports whether a name is one in the site already.
func (s *site) known(name string) bool {
	for _, n := range s.wanted {
		if n == name {
			return true
		}
	}
	return false
}

var scheme = regexp.MustCompile(`^[a-z]+:`)

// resolve turns a destination of a page into one of the site.
func (s *site) resolve(p *page, to []byte) ([]byte, error) {
	dest := string(to)
	if scheme.MatchString(dest) || strings.HasPrefix(dest, "#") {
		return to, nil
	}
	file, anchor, has := strings.Cut(dest, "#")
	full := path.Join(path.Dir(p.file), file)
	info, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(full)))
	if err != nil {
		return nil, fmt.Errorf("%s: a link to %s, which does not exist", p.file, dest)
	}
	name, ok := s.names[full]
	if !ok {
		name = "files/" + full
		if info.IsDir() {
			name = "files/" + full + "/index.html"
		}
		s.wanted[full] = name
	}
	if has {
		name += "#" + anchor
	}
	return []byte(name), nil
}

// slugs gives headings the anchors that GitHub gives them: small letters, hyphens for blanks, and no
// punctuation. A second heading of the same words ends in -1.
type slugs struct{ used map[string]bool }

var notInSlug = regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)

// Generate implements parser.IDs.
func (s *slugs) Generate(value []byte, _ ast.NodeKind) []byte {
	plain := regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(string(value), "$1")
	slug := strings.ReplaceAll(notInSlug.ReplaceAllString(strings.ToLower(plain), ""), " ", "-")
	name := slug
	for n := 1; s.used[name]; n++ {
		name = fmt.Sprintf("%s-%d", slug, n)
	}
	s.used[name] = true
	return []byte(name)
}

// Put implements parser.IDs.
func (s *slugs) Put(value []byte) { s.used[string(value)] = true }
