// Command site makes a static site of the pages of docs/ and the README: make site runs it. It is a
// module of its own, so that programs that use Causeway do not get its Markdown library.
//
// A file of the repository that a page links to is copied, a folder becomes a page that lists it. A
// link, a picture or a heading that does not exist is an error.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	root := flag.String("root", ".", "the repository")
	out := flag.String("out", "site", "folder to write; what is in it goes")
	flag.Parse()
	pages, err := build(*root, *out)
	if err == nil {
		err = check(*out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%s: %d pages\n", *out, pages)
}

// build writes all pages and what they link to.
func build(root, out string) (pages int, err error) {
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		return 0, err
	}
	files = append(files, filepath.Join(root, "README.md"))
	s := &site{root: root, out: out, names: map[string]string{}, wanted: map[string]string{}}
	for _, f := range files {
		if err := s.read(f); err != nil {
			return 0, err
		}
	}
	if err := os.RemoveAll(out); err != nil {
		return 0, err
	}
	for i := range s.pages {
		if err := s.write(&s.pages[i]); err != nil {
			return 0, err
		}
	}
	if err := s.copyWanted(); err != nil {
		return 0, err
	}
	return len(s.pages), os.WriteFile(filepath.Join(out, "style.css"), []byte(style), 0o644)
}

// pageName is the name of a page in the site: the README is the first one.
func pageName(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), ".md")
	if name == "README" {
		return "index.html"
	}
	return name + ".html"
}
