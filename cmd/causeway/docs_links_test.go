package main

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLinks follows every link of the repository's pages: what it names is a file or a folder
// of the repository, and what stands after # is a heading of that page. Links to other hosts
// are not followed.
func TestLinks(t *testing.T) {
	t.Parallel()
	root := repository(t)
	read := map[string]mdPage{}
	at := func(file string) mdPage {
		p, ok := read[file]
		if !ok {
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			p = newMdPage(string(src))
			read[file] = p
		}
		return p
	}
	links := 0
	for _, file := range pagesOf(t, root) {
		name, err := filepath.Rel(root, file)
		require.NoError(t, err)
		for _, to := range at(file).links {
			links++
			path, anchor, _ := strings.Cut(to, "#")
			target := filepath.Join(filepath.Dir(file), filepath.FromSlash(path))
			if path == "" {
				target = file
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: a link to %s, which does not exist", name, to)
				continue
			}
			if anchor == "" {
				continue
			}
			if filepath.Ext(target) != ".md" {
				t.Errorf("%s: a link to %s: only pages have headings", name, to)
			} else if !at(target).anchors[anchor] {
				t.Errorf("%s: a link to %s: that page has no such heading", name, to)
			}
		}
	}
	require.Greater(t, links, 100, "the pages have links")
}

// pagesOf lists the pages under root, and the notebooks.
func pagesOf(t *testing.T, root string) (out []string) {
	require.NoError(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != root && (strings.HasPrefix(e.Name(), ".") || path == filepath.Join(root, "site")): // what make site writes
			return filepath.SkipDir
		case filepath.Ext(path) == ".md" || filepath.Ext(path) == ".ipynb":
			out = append(out, path)
		}
		return nil
	}))
	return out
}

// An mdPage is what links need of a file of Markdown.
type mdPage struct {
	links   []string // to this repository, without escapes
	anchors map[string]bool
}

var (
	linkOf  = regexp.MustCompile(`\]\(([^)\s]+)\)|\b(?:href|src)=\\?"([^"\\]+)\\?"`)
	heading = regexp.MustCompile(`^#{1,6} +(.*?) *#* *$`)
	marked  = regexp.MustCompile(`<a (?:id|name)="([^"]+)"`)
	quoted  = regexp.MustCompile("`[^`]*`")
	scheme  = regexp.MustCompile(`^[a-z]+:`)
)

func newMdPage(src string) mdPage {
	p := mdPage{anchors: map[string]bool{}}
	code := false
	for l := range strings.Lines(src) {
		l = strings.TrimRight(l, "\r\n")
		if strings.HasPrefix(strings.TrimSpace(l), "```") {
			code = !code
			continue
		}
		if code {
			continue
		}
		if m := heading.FindStringSubmatch(l); m != nil {
			p.add(slug(m[1]))
		}
		for _, m := range marked.FindAllStringSubmatch(l, -1) {
			p.anchors[m[1]] = true
		}
		for _, m := range linkOf.FindAllStringSubmatch(quoted.ReplaceAllString(l, "code"), -1) {
			to := m[1] + m[2]
			if scheme.MatchString(to) {
				continue
			}
			if plain, err := url.PathUnescape(to); err == nil {
				to = plain
			}
			p.links = append(p.links, to)
		}
	}
	return p
}

// add makes the anchor of a heading; a second one of the same words ends in -1.
func (p mdPage) add(anchor string) {
	name := anchor
	for n := 1; p.anchors[name]; n++ {
		name = anchor + "-" + string(rune('0'+n))
	}
	p.anchors[name] = true
}

var notInSlug = regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)

// slug is the anchor that GitHub gives a heading: small letters, hyphens for blanks, and no
// punctuation.
func slug(heading string) string {
	text := regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(heading, "$1")
	return strings.ReplaceAll(notInSlug.ReplaceAllString(strings.ToLower(text), ""), " ", "-")
}

func TestMdPageHasLinksAndAnchors(t *testing.T) {
	p := newMdPage("# A `page`, of [links](x.md)\n## Same\n## Same\n<a id=\"here\"></a>\n" +
		"```\n# code\n[no](a.md)\n```\n`[no](b.md)` [yes](c%20d.md#e) <img src=\"f.png\"> [out](https://example.org)\n")
	require.Equal(t, []string{"x.md", "c d.md#e", "f.png"}, p.links)
	require.Equal(t, map[string]bool{"a-page-of-links": true, "same": true, "same-1": true, "here": true}, p.anchors)
}
