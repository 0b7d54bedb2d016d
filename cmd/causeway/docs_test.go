package main

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDocs does what the pages of docs/ say, page by page in a folder of its own.
//
// A yaml block is a file; its first line is a comment with the name, which other
// files have after the word csv or mlir. A file with schema: has to be good, unless a
// colon and a remark follow the name.
// A go block with a path is a file of the repository, laid over it and written nowhere: for tests
// of its package, and for programs if one is run in its section of the page. So a file that is
// only tested has no program built again. Those commands build most of the repository, so they are run
// with CAUSEWAY_LONG; else each folder is checked by go vet alone.
//
// A console block holds commands behind "$ " and what they print, in which "..."
// stands for anything; "exit code N" comes last where N is not 0.
//
// A figure that the commands draw and the page shows is the one of docs/pictures (figures).
func TestDocs(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	pages = append(pages, "../../README.md")
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			src, err := os.ReadFile(page)
			require.NoError(t, err)
			root, err := filepath.Abs("../..")
			require.NoError(t, err)
			t.Chdir(t.TempDir())
			over := newOverlay(root)
			t.Setenv("CAUSEWAY_CONFIG", "")
			t.Setenv("CAUSEWAY_INPUTS", "")
			blocks := fences(string(src))
			runs := map[int]bool{} // sections that run a program
			for _, b := range blocks {
				runs[b.section] = runs[b.section] || b.lang == "console" && strings.Contains(b.text, "$ go run ")
			}
			for _, b := range blocks { // all of them first: each set of them is a program of its own to build
				if b.lang == "go" {
					over.add(t, b, runs[b.section])
				}
			}
			for _, b := range blocks {
				switch b.lang {
				case "yaml", "csv", "mlir":
					b.write(t)
				case "go":
				case "console":
					b.run(t, over)
				case "", "sh", "text":
				default:
					t.Errorf("line %d: a block of %q, which nothing checks", b.line, b.lang)
				}
			}
			if !long && !testing.Short() {
				over.vet(t)
			}
			figures(t, root, string(src))
		})
	}
}

// long runs what takes minutes, too.
var long = os.Getenv("CAUSEWAY_LONG") != ""

// A fence is one fenced block of a page.
type fence struct {
	lang, name string // the name of a file, if the first line says it
	line       int
	section    int // headings before it
	text       string
}

func fences(src string) (out []fence) {
	var b *fence
	section := 0
	for i, l := range strings.Split(src, "\n") {
		lang, is := strings.CutPrefix(l, "```")
		switch {
		case is && b == nil:
			b = &fence{line: i + 1, section: section}
			b.lang, b.name, _ = strings.Cut(lang, " ")
		case is:
			out, b = append(out, *b), nil
		case b != nil:
			b.text += l + "\n"
		case strings.HasPrefix(l, "#"):
			section++
		}
	}
	return out
}

var fileLine = regexp.MustCompile(`^# ([\w./-]+\.yaml)(: .*)?\n`)

// write makes the file that the block is.
func (b fence) write(t *testing.T) {
	m := []string{"", b.name, ""}
	if b.name == "" {
		m = fileLine.FindStringSubmatch(b.text)
	}
	require.NotNil(t, m, "line %d: the block does not begin with a comment that names its file", b.line)
	require.NoError(t, os.MkdirAll(filepath.Dir(m[1]), 0o755))
	require.NoError(t, os.WriteFile(m[1], []byte(b.text), 0o644))
	if m[2] == "" && strings.Contains(b.text, "\nschema: ") {
		out, code := commandLine("causeway check "+m[1], overlay{})
		require.Zero(t, code, "line %d: %s", b.line, out)
	}
}

// progressLine is what a command prints every ten seconds, on a slow machine alone.
var progressLine = regexp.MustCompile(`(?m)^.* of .* %\), \d+s gone.*\n`)

// run carries out the commands and compares what they print.
func (b fence) run(t *testing.T, over overlay) {
	for _, part := range strings.Split("\n"+b.text, "\n$ ")[1:] {
		line, want, _ := strings.Cut(part, "\n")
		code := 0
		if i := strings.LastIndex("\n"+want, "\nexit code "); i >= 0 {
			n, err := strconv.Atoi(strings.TrimSpace(want[i+len("exit code "):]))
			require.NoError(t, err)
			want, code = want[:i], n
		}
		if !long && strings.HasPrefix(line, "go ") {
			continue
		}
		got, ended := commandLine(line, over)
		got = progressLine.ReplaceAllString(got, "")
		require.Equal(t, code, ended, "line %d: %s\n%s", b.line, line, got)
		pattern := strings.ReplaceAll(regexp.QuoteMeta(trimmed(want)), `\.\.\.`, `.*`)
		require.Regexp(t, `(?s)\A`+pattern+`\z`, trimmed(got), "line %d: %s", b.line, line)
	}
}

// An overlay is what go's flag of that name takes, by who takes it: files that stand elsewhere.
type overlay struct {
	root string
	in   map[string]map[string]string // of tests of a package, by its folder; "": of programs
}

func newOverlay(root string) overlay { return overlay{root, map[string]map[string]string{}} }

// add lays a file over the repository for tests of its package, and for programs.
func (o overlay) add(t *testing.T, b fence, programs bool) {
	file, err := filepath.Abs(strings.ReplaceAll(b.name, "/", "_"))
	require.NoError(t, err)
	require.NoFileExists(t, filepath.Join(o.root, b.name))
	require.NoError(t, os.WriteFile(file, []byte(b.text), 0o644))
	for _, who := range []string{"./" + filepath.Dir(b.name), ""} {
		if who == "" && !programs {
			continue
		}
		if o.in[who] == nil {
			o.in[who] = map[string]string{}
		}
		o.in[who][filepath.Join(o.root, b.name)] = file
	}
}

// vet compiles the files in each folder, with those of folders that only the page has. Where there are
// tests among them, go vet reads those too.
func (o overlay) vet(t *testing.T) {
	own := map[string]bool{} // folders that the repository has not
	for dir := range o.in {
		_, err := os.Stat(filepath.Join(o.root, dir))
		own[dir] = err != nil
	}
	for dir, files := range o.in {
		if dir == "" {
			continue
		}
		all, args := maps.Clone(files), []string{"list", "-export", dir}
		for d, is := range own {
			if is {
				maps.Copy(all, o.in[d])
			}
		}
		for name := range files {
			if strings.HasSuffix(name, "_test.go") {
				args = []string{"vet", dir}
			}
		}
		alone := overlay{o.root, map[string]map[string]string{dir: all}}
		c := exec.Command("go", args...)
		c.Dir, c.Env = o.root, append(os.Environ(), "GOFLAGS="+strings.ReplaceAll(os.Getenv("GOFLAGS"), "-vet=off", "")+" -overlay="+alone.of([]string{"test", dir}))
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s: %s", dir, out)
	}
}

// of is the file that go takes for a command line.
func (o overlay) of(args []string) string {
	who := ""
	if args[0] == "test" {
		who = args[1]
	}
	table, err := json.Marshal(map[string]any{"Replace": o.in[who]})
	if err != nil {
		panic(err)
	}
	name, err := filepath.Abs("overlay.json")
	if err == nil {
		err = os.WriteFile(name, table, 0o644)
	}
	if err != nil {
		panic(err)
	}
	return name
}

// command runs one line, causeway's by its own code.
func commandLine(line string, over overlay) (output string, code int) {
	var out bytes.Buffer
	if args, ours := strings.CutPrefix(line, "causeway "); ours {
		code = execute(context.Background(), words(args), &out, &out)
		return out.String(), code
	}
	c := exec.Command("sh", "-c", line)
	if args, ours := strings.CutPrefix(line, "go "); ours {
		ws := words(args)
		c = exec.Command("go", ws...)
		c.Dir, c.Env = over.root, append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+over.of(ws))
	}
	c.Stdout, c.Stderr = &out, &out
	_ = c.Run() // the exit code tells
	return out.String(), c.ProcessState.ExitCode()
}

// words splits a command line at blanks that are not between quotes.
func words(line string) (out []string) {
	for _, w := range regexp.MustCompile(`(?:'[^']*'|"[^"]*"|\S)+`).FindAllString(line, -1) {
		out = append(out, strings.NewReplacer("'", "", `"`, "").Replace(w))
	}
	return out
}

// trimmed drops blanks at the ends of lines and empty lines at the end.
func trimmed(s string) string {
	return strings.TrimRight(regexp.MustCompile(`[ \t]+\n`).ReplaceAllString(s, "\n"), " \n")
}
