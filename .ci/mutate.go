//go:build ignore

// Mutate breaks the core rooms one line at a time and says whether their tests
// notice. mutants.txt in the same folder lists the mutants, a block each:
//
//	name: VC arbiter never rotates
//	file: noc/fabric/allocator.go
//	old: a.next = (granted + 1) % a.n
//	new: a.next = a.next
//	test: ./noc/fabric -run Fair
//
// Old is a piece of one line that stands in the file once. Test is what go test gets; left
// out, it is the file's package. The tree is not touched: go build's -overlay puts the
// mutant in the file's place.
//
//	.ci/mutate            every mutant; exit 1 where fewer than nine of ten are caught
//	.ci/mutate -check     only that every mutant still applies
//	.ci/mutate NAME...    those whose name contains a NAME
//
// The list could be learnt by heart, so mutants are drawn at random too: an operator, a
// bound, a constant or a truth value changed, a statement dropped, in a random place of the
// core rooms (mutate_random.go). Only the tests of the mutant's own package count, or of the package
// above where it has none. All mutants
// of a package are compiled into one binary, and a run chooses one (mutate_build.go).
//
//	.ci/mutate -random 300             300 mutants; exit 1 where fewer than 85% are caught
//	.ci/mutate -random 50 -seed 7 memory/dram noc/routing
//	.ci/mutate -each 30 -jobs 1 -short memory/cache memory/dram    30 of each room, one at a time
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

type mutant struct{ name, file, old, new, test string }

func main() {
	check := flag.Bool("check", false, "only see whether every mutant applies")
	limit := flag.Duration("timeout", 2*time.Minute, "of one mutant's tests; a mutant that hangs is caught")
	drawn := flag.Int("random", 0, "draw so many mutants from the core rooms, or from the rooms named")
	seed := flag.String("seed", time.Now().Format("2006-01-02"), "of the draw")
	each := flag.Int("each", 0, "draw so many mutants from each of the rooms")
	jobs := flag.Int("jobs", 2, "drawn mutants that run at once")
	short := flag.Bool("short", false, "run the tests of drawn mutants with -short")
	flag.Parse()
	if *drawn > 0 || *each > 0 {
		dir, err := os.MkdirTemp("", "mutate")
		if err == nil {
			d := draw{total: *drawn, each: *each, jobs: *jobs, seed: seedOf(*seed), short: *short, limit: *limit, dir: dir}
			err = d.random(flag.Args())
			os.RemoveAll(dir)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "mutate:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(*check, *limit, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(check bool, limit time.Duration, names []string) error {
	all, err := read(".ci/mutants.txt")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	caught, tried := 0, 0
	for i, m := range all {
		if !wanted(m.name, names) {
			continue
		}
		overlay, err := m.apply(filepath.Join(dir, fmt.Sprint(i)))
		if err != nil {
			return err
		}
		if check {
			continue
		}
		verdict, err := m.verdict(overlay, limit)
		if err != nil {
			return err
		}
		tried++
		if verdict != "survived" {
			caught++
		}
		fmt.Printf("%-9s %-45s %s\n", verdict, m.name, m.file)
	}
	if check {
		fmt.Printf("%d mutants apply\n", len(all))
		return nil
	}
	fmt.Printf("%d of %d caught\n", caught, tried)
	if 10*caught < 9*tried {
		return fmt.Errorf("fewer than nine of ten are caught")
	}
	return nil
}

func wanted(name string, names []string) bool {
	for _, n := range names {
		if strings.Contains(name, n) {
			return true
		}
	}
	return len(names) == 0
}

// read reads the blocks of the list.
func read(file string) ([]mutant, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []mutant
	s := bufio.NewScanner(f)
	for line := 1; s.Scan(); line++ {
		text := s.Text()
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		key, value, ok := strings.Cut(text, ": ")
		if !ok {
			return nil, fmt.Errorf("%s:%d: want KEY: VALUE", file, line)
		}
		if key == "name" {
			out = append(out, mutant{name: value})
			continue
		}
		if len(out) == 0 {
			return nil, fmt.Errorf("%s:%d: a block begins with name:", file, line)
		}
		m := &out[len(out)-1]
		switch key {
		case "file":
			m.file = value
		case "old":
			m.old = value
		case "new":
			m.new = value
		case "test":
			m.test = value
		default:
			return nil, fmt.Errorf("%s:%d: unknown key %q (want one of: name, file, old, new, test)", file, line, key)
		}
	}
	return out, s.Err()
}

// apply writes the mutant beside an overlay that puts it in the file's place.
func (m mutant) apply(prefix string) (overlay string, err error) {
	src, err := os.ReadFile(m.file)
	if err != nil {
		return "", fmt.Errorf("%s: %w", m.name, err)
	}
	if n := strings.Count(string(src), m.old); m.old == "" || n != 1 {
		return "", fmt.Errorf("%s: %q stands %d times in %s (want once)", m.name, m.old, n, m.file)
	}
	if m.old == m.new {
		return "", fmt.Errorf("%s changes nothing", m.name)
	}
	broken := prefix + ".go"
	if err := os.WriteFile(broken, []byte(strings.Replace(string(src), m.old, m.new, 1)), 0o644); err != nil {
		return "", err
	}
	whole, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(map[string]map[string]string{"Replace": {whole: broken}})
	if err != nil {
		return "", err
	}
	return prefix + ".json", os.WriteFile(prefix+".json", b, 0o644)
}

// verdict runs the tests with the mutant in place.
func (m mutant) verdict(overlay string, limit time.Duration) (string, error) {
	pkg := "./" + path.Dir(m.file)
	if out, err := exec.Command("go", "build", "-overlay", overlay, pkg).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s does not compile:\n%s", m.name, out)
	}
	args := []string{"test", "-overlay", overlay, "-vet=off", "-count=1", "-failfast"}
	if m.test == "" {
		args = append(args, pkg)
	} else {
		args = append(args, strings.Fields(m.test)...)
	}
	defer forget(args)()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c := exec.CommandContext(ctx, "go", args...)
	c.WaitDelay = time.Second
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) } // the test that hangs too
	out, err := c.CombinedOutput()
	switch {
	case err == nil:
		return "survived", nil
	case ctx.Err() != nil:
		return "hung", nil
	case strings.Contains(string(out), "[build failed]"):
		return "", fmt.Errorf("%s: its tests do not compile:\n%s", m.name, out)
	}
	return "caught", nil
}

// forget removes what property tests keep of the cases that fail with a mutant, which
// they would try again without it.
func forget(args []string) func() {
	var kept []string
	for _, a := range args {
		dir := filepath.Join(a, "testdata", "rapid")
		if _, err := os.Stat(dir); strings.HasPrefix(a, "./") && os.IsNotExist(err) {
			kept = append(kept, dir)
		}
	}
	return func() {
		for _, dir := range kept {
			os.RemoveAll(dir)
			os.Remove(filepath.Dir(dir)) // where nothing else is in it
		}
	}
}
