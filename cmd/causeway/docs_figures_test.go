package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pictures is the folder of the figures and screenshots of the pages, from this one.
const pictures = "../../docs/pictures"

// picture is an image that a page shows, by its name in that folder.
var picture = regexp.MustCompile(`(?:!\[[^\]]*\]\(|src=")(?:docs/)?pictures/([\w.-]+)`)

// figures holds each SVG that the page shows against the file of that name that the commands
// of the page have left in the present folder. UPDATE_DOCS=1 writes the pictures anew.
func figures(t *testing.T, root, src string) {
	for _, m := range picture.FindAllStringSubmatch(src, -1) {
		made, err := os.ReadFile(m[1])
		if err != nil { // another page makes it, as TestPictures finds
			continue
		}
		file := filepath.Join(root, "docs", "pictures", m[1])
		if os.Getenv("UPDATE_DOCS") != "" {
			require.NoError(t, os.WriteFile(file, made, 0o644))
		}
		kept, err := os.ReadFile(file)
		require.NoError(t, err)
		if string(kept) != string(made) {
			t.Errorf("%s is not what the page's commands draw now; `make pictures` draws it anew", m[1])
		}
	}
}

// TestPictures finds that every picture is small and shown by a page, and that an SVG is
// drawn by a command of a page that shows it.
func TestPictures(t *testing.T) {
	t.Parallel()
	root := repository(t)
	shown, drawn := map[string]bool{}, map[string]bool{}
	for _, file := range pagesOf(t, root) {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range picture.FindAllStringSubmatch(string(src), -1) {
			shown[m[1]] = true
			require.FileExists(t, filepath.Join(pictures, m[1]), file)
			for _, b := range fences(string(src)) {
				if b.lang == "console" && regexp.MustCompile(`(?m)^\$ causeway plot .*--out `+regexp.QuoteMeta(m[1])+`( |$)`).MatchString(b.text) {
					drawn[m[1]] = true
				}
			}
		}
	}
	files, err := os.ReadDir(pictures)
	require.NoError(t, err)
	for _, f := range files {
		info, err := f.Info()
		require.NoError(t, err)
		require.LessOrEqual(t, info.Size(), int64(150<<10), "%s is large", f.Name())
		require.True(t, shown[f.Name()], "no page shows %s", f.Name())
		if strings.HasSuffix(f.Name(), ".svg") {
			require.True(t, drawn[f.Name()], "no page that shows %s draws it", f.Name())
		}
	}
}
