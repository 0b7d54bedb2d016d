package main

import (
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	target = regexp.MustCompile(`<(?:a|img|link|source|script)\b[^>]*? (?:href|src|srcset)="([^"]*)"`)
	anchor = regexp.MustCompile(` (?:id|name)="([^"]+)"`)
)

// check follows every link and picture of the pages that were written.
func check(out string) error {
	ids := map[string]map[string]bool{}
	text := map[string]string{}
	err := filepath.WalkDir(out, func(path string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".html" || filepath.Dir(path) != out && filepath.Base(path) != "index.html" {
			return err
		}
		b, err := os.ReadFile(path)
		text[path], ids[path] = string(b), map[string]bool{}
		for _, m := range anchor.FindAllStringSubmatch(string(b), -1) {
			ids[path][m[1]] = true
		}
		return err
	})
	if err != nil {
		return err
	}
	var errs []error
	for file, page := range text {
		for _, m := range target.FindAllStringSubmatch(page, -1) {
			to := html.UnescapeString(m[1])
			if scheme.MatchString(to) {
				continue
			}
			name, at, _ := strings.Cut(to, "#")
			name, err := url.PathUnescape(name)
			full := filepath.Join(filepath.Dir(file), filepath.FromSlash(name))
			if name == "" {
				full = file
			}
			if _, missing := os.Stat(full); err != nil || missing != nil {
				errs = append(errs, fmt.Errorf("%s: a link to %s, which does not exist", file, to))
			} else if id, _ := url.PathUnescape(at); at != "" && ids[full] != nil && !ids[full][id] {
				errs = append(errs, fmt.Errorf("%s: a link to %s: that page has no such heading", file, to))
			}
		}
	}
	return errors.Join(errs...)
}
