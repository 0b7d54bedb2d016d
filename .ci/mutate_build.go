//go:build ignore

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// chooser is the file that a package of mutants gets. MUTANT says which mutant runs, 0 none;
// MUTANTS_REACHED names a file that gets the number of each mutant whose place is reached.
const chooser = `package %s

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

var (
	mutantChosen, _  = strconv.Atoi(os.Getenv("MUTANT"))
	mutantsReached   = os.Getenv("MUTANTS_REACHED")
	mutantsSeen      sync.Map
)

func mutantIs(n int) bool {
	if mutantsReached != "" {
		mutantReached(n)
	}
	return n == mutantChosen
}

func mutantReached(n int) {
	if _, seen := mutantsSeen.LoadOrStore(n, true); seen {
		return
	}
	f, err := os.OpenFile(mutantsReached, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(f, n)
	f.Close()
}
`

// checkedFiles parses a package's files and finds the types of their expressions.
func checkedFiles(room string) (files []*ast.File, info *types.Info, set *token.FileSet, err error) {
	list := func(args ...string) ([]string, error) {
		c := exec.Command("go", append(append([]string{"list"}, args...), "./"+room)...)
		c.Stderr = os.Stderr
		out, err := c.Output()
		return strings.Fields(string(out)), err
	}
	names, err := list("-f", `{{join .GoFiles " "}}`)
	if err != nil {
		return nil, nil, nil, err
	}
	deps, err := list("-deps", "-export", "-f", "{{.ImportPath}}|{{.Export}}")
	if err != nil {
		return nil, nil, nil, err
	}
	export := map[string]string{}
	for _, d := range deps {
		path, file, _ := strings.Cut(d, "|")
		export[path] = file
	}
	set = token.NewFileSet()
	for _, name := range names {
		f, err := parser.ParseFile(set, filepath.Join(room, name), nil, 0)
		if err != nil {
			return nil, nil, nil, err
		}
		files = append(files, f)
	}
	info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	compiled := importer.ForCompiler(set, "gc", func(p string) (io.ReadCloser, error) { return os.Open(export[p]) })
	_, err = (&types.Config{Importer: compiled}).Check(room, set, files, info)
	return files, info, set, err
}

// A built is a package's test binary with some mutants in it.
type built struct {
	room, binary string
	sites        []drawn // mutant i+1 is at sites[i]
	skip         string  // pattern of the tests that fail without a mutant
}

// build compiles a quota of mutants. Those that do not compile are replaced by others.
func build(dir, room string, all []drawn, quota int) (built, error) {
	b := built{room: room, binary: filepath.Join(dir, "test")}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return b, err
	}
	rest := all
	for range 20 {
		more := min(quota-len(b.sites), len(rest))
		b.sites, rest = append(b.sites, rest[:more]...), rest[more:]
		out, err := b.compile(dir)
		if err == nil {
			return b, nil
		}
		bad := mutantsIn(out)
		if len(bad) == 0 {
			return b, fmt.Errorf("the mutants of %s do not compile:\n%s", room, out)
		}
		var kept []drawn
		for i, d := range b.sites {
			if !bad[i+1] {
				kept = append(kept, d)
			}
		}
		b.sites = kept
	}
	return b, fmt.Errorf("too many mutants of %s do not compile", room)
}

func (b built) compile(dir string) (string, error) {
	replace := map[string]string{}
	byFile := map[string][]int{}
	for i, d := range b.sites {
		byFile[d.file] = append(byFile[d.file], i)
	}
	put := func(name, text string) error {
		whole, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		broken := filepath.Join(dir, filepath.Base(name))
		replace[whole] = broken
		return os.WriteFile(broken, []byte(text), 0o644)
	}
	for file, sites := range byFile {
		src, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		// An outer place comes before those inside it.
		slices.SortFunc(sites, func(i, j int) int {
			if d := b.sites[i].at - b.sites[j].at; d != 0 {
				return d
			}
			return b.sites[j].end - b.sites[i].end
		})
		if err := put(file, b.render(string(src), 0, len(src), sites)); err != nil {
			return "", err
		}
	}
	name, err := exec.Command("go", "list", "-f", "{{.Name}}", "./"+b.room).Output()
	if err != nil {
		return "", err
	}
	if err := put(b.room+"/zz_mutants.go", fmt.Sprintf(chooser, bytes.TrimSpace(name))); err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(dir+"/overlay.json", overlay, 0o644); err != nil {
		return "", err
	}
	out, err := exec.Command("go", "test", "-c", "-vet=off", "-gcflags=-e", "-overlay", dir+"/overlay.json", "-o", b.binary, "./"+judge(b.room)).CombinedOutput()
	if err != nil {
		return b.errorLines(string(out)), err
	}
	return "", nil
}

// render is src[from:to] with a choice at each of the sites.
func (b built) render(src string, from, to int, sites []int) string {
	var s strings.Builder
	for len(sites) > 0 {
		i := sites[0]
		d := b.sites[i]
		inside := 1
		for inside < len(sites) && b.sites[sites[inside]].at < d.end {
			inside++
		}
		s.WriteString(src[from:d.at])
		whole := b.render(src, d.at, d.end, sites[1:inside])
		if d.result != "" {
			fmt.Fprintf(&s, "func() %s { if mutantIs(%d) { return %s }; return %s }()", d.result, i+1, d.whole, whole)
		} else {
			fmt.Fprintf(&s, "func() { if mutantIs(%d) { %s } else { %s } }()", i+1, d.whole, whole)
		}
		from, sites = d.end, sites[inside:]
	}
	s.WriteString(src[from:to])
	return s.String()
}

var (
	errorAt  = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):(?:\d+:)? `) // no column in very long lines
	mutantAt = regexp.MustCompile(`mutantIs\((\d+)\)`)

	failedTest = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)
)

// errorLines adds to a compiler's messages the lines that they are about.
func (b built) errorLines(out string) string {
	var s strings.Builder
	for _, m := range errorAt.FindAllStringSubmatch(out, -1) {
		file := filepath.Join(filepath.Dir(b.binary), filepath.Base(m[1]))
		src, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		lines := strings.Split(string(src), "\n")
		n, _ := strconv.Atoi(m[2])
		for n = min(n, len(lines)); n > 0; n-- { // the choice begins there or above
			if mutantAt.MatchString(lines[n-1]) {
				fmt.Fprintf(&s, "%s:%d: %s\n", m[1], n, lines[n-1])
				break
			}
		}
	}
	return s.String() + out
}

func mutantsIn(out string) map[int]bool {
	found := map[int]bool{}
	for _, m := range mutantAt.FindAllStringSubmatch(out, -1) {
		n, _ := strconv.Atoi(m[1])
		found[n] = true
	}
	return found
}

// judge is the package whose tests judge the mutants of a room: its own, or of a room without tests
// the one above it.
func judge(room string) string {
	for {
		if tests, _ := filepath.Glob(room + "/*_test.go"); len(tests) > 0 || path.Dir(room) == "." {
			return room
		}
		room = path.Dir(room)
	}
}

// baseline runs the tests without a mutant. It returns which places they reach, and how long
// a mutant's run may take before it counts as one that hangs. Tests that fail only because of the
// choices, which allocate, are left out of all runs.
func (b *built) baseline(short bool, limit time.Duration) ([]bool, time.Duration, error) {
	log := b.binary + ".reached"
	begun := time.Now()
	out, err := b.run(short, 10*limit, "MUTANTS_REACHED="+log)
	for range 10 {
		failed := failedTest.FindStringSubmatch(out)
		if err == nil || failed == nil {
			break
		}
		fmt.Printf("left out     %s, which fails without a mutant\n", failed[1])
		if b.skip != "" {
			b.skip += "|"
		}
		b.skip += "^" + failed[1] + "$"
		begun = time.Now()
		out, err = b.run(short, 10*limit, "MUTANTS_REACHED="+log)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("the tests of %s fail without a mutant: %w\n%s", b.room, err, out)
	}
	reached := make([]bool, len(b.sites))
	text, _ := os.ReadFile(log)
	for _, word := range strings.Fields(string(text)) {
		n, _ := strconv.Atoi(word)
		reached[n-1] = true
	}
	return reached, max(limit, 3*time.Since(begun)), nil
}

func (b built) verdict(i int, short bool, limit time.Duration) string {
	_, err := b.run(short, limit, "MUTANT="+strconv.Itoa(i+1))
	switch {
	case err == nil:
		return "survived"
	case err == context.DeadlineExceeded:
		return "hung"
	}
	return "caught"
}

func (b built) run(short bool, limit time.Duration, env string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	args := []string{"-test.failfast", "-test.timeout=0", fmt.Sprintf("-test.short=%t", short)}
	if b.skip != "" {
		args = append(args, "-test.skip="+b.skip)
	}
	c := exec.CommandContext(ctx, b.binary, args...)
	c.Dir = judge(b.room)
	c.Env = append(os.Environ(), env)
	c.WaitDelay = time.Second
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) } // the test that hangs too
	out, err := c.CombinedOutput()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return string(out), err
}
