package main

import (
	"fmt"
	"html"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// copyWanted copies what pages link to. A folder becomes a page with the names of its files, which
// are copied too, but not those of folders in it.
func (s *site) copyWanted() error {
	for _, file := range slices.Sorted(maps.Keys(s.wanted)) {
		from, to := filepath.Join(s.root, filepath.FromSlash(file)), filepath.Join(s.out, filepath.FromSlash(s.wanted[file]))
		info, err := os.Stat(from)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			if err := copyFile(from, to); err != nil {
				return err
			}
			continue
		}
		entries, err := os.ReadDir(from)
		if err != nil {
			return err
		}
		var b strings.Builder
		up := strings.Repeat("../", strings.Count(s.wanted[file], "/"))
		fmt.Fprintf(&b, "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n", html.EscapeString(file))
		fmt.Fprintf(&b, "<link rel=\"stylesheet\" href=\"%sstyle.css\">\n<main><p><a href=\"%sindex.html\">Causeway</a></p><h1>%s</h1>\n<ul>\n", up, up, html.EscapeString(file))
		for _, e := range entries {
			name := html.EscapeString(e.Name())
			if e.IsDir() {
				fmt.Fprintf(&b, "<li>%s/</li>\n", name)
				continue
			}
			if err := copyFile(filepath.Join(from, e.Name()), filepath.Join(filepath.Dir(to), e.Name())); err != nil {
				return err
			}
			fmt.Fprintf(&b, "<li><a href=\"%s\">%s</a></li>\n", name, name)
		}
		b.WriteString("</ul></main>\n</html>\n")
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, []byte(b.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}
