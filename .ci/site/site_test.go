package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// repository writes a repository of one page and a README, with a picture and a folder.
func repository(t *testing.T, page string) (root, out string) {
	root = t.TempDir()
	for name, text := range map[string]string{
		"README.md": "# Top\n[a page](docs/page.md#second-part)\n", "docs/page.md": page,
		"docs/pictures/a.svg": "<svg/>", "configs/x.yaml": "a: 1\n",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root, filepath.Join(root, "site")
}

const good = "# A `page`\n## Second part\n![a](pictures/a.svg) <img src=\"pictures/a.svg\"> [folder](../configs) [file](../configs/x.yaml) [top](../README.md)\n\n```csv a.cfg\nx\n```\n\n| a |\n|---|\n| b |\n"

func TestSite(t *testing.T) {
	root, out := repository(t, good)
	n, err := build(root, out)
	if err != nil || n != 2 {
		t.Fatal(n, err)
	}
	if err := check(out); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(out, "page.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<h2 id="second-part">`, `href="files/configs/index.html"`, `href="files/configs/x.yaml"`, `href="index.html"`,
		`<img src="files/docs/pictures/a.svg" alt="a"`, `<img src="files/docs/pictures/a.svg">`, `<div class="wide"><table>`, `<title>A page`, `<p class="file">a.cfg</p>`,
	} {
		if !strings.Contains(string(b), want) {
			t.Errorf("page.html has no %s:\n%s", want, b)
		}
	}
}

// What a page links to has to exist: a file, a picture, a heading.
func TestBrokenLinks(t *testing.T) {
	for page, want := range map[string]string{
		"# A\n[no](none.md)\n":              "docs/page.md: a link to none.md, which does not exist",
		"# A\n<img src=\"pictures/b.svg\">": "docs/page.md: a link to pictures/b.svg, which does not exist",
		"# A\n[no](#third)\n":               "a link to #third: that page has no such heading",
		"no heading\n":                      "has no heading",
	} {
		root, out := repository(t, page)
		_, err := build(root, out)
		if err == nil {
			err = check(out)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", page, err, want)
		}
	}
}
