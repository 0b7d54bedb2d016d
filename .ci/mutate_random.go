//go:build ignore

package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// coreRooms are the packages whose own tests must notice a random fault: the pure rooms and
// the nodes. Presentation, commands and generated code are left out.
var coreRooms = []string{
	"accelerators/dataflow", "accelerators/gpu/kernel", "accelerators/mapping", "accelerators/nest", "accelerators/spatial", "accelerators/systolic",
	"components/calendar", "components/clock", "components/engine", "components/journal", "components/ring", "components/units",
	"memory/address", "memory/cache", "memory/cache/bank", "memory/cache/below", "memory/cache/flush", "memory/cache/inclusion", "memory/cache/line", "memory/cache/mshr", "memory/cache/prefetch", "memory/cache/region", "memory/cache/tagstore", "memory/curve", "memory/cxl", "memory/cxl/coherence", "memory/cxl/flit", "memory/cxl/hdm", "memory/cxl/link", "memory/cxl/pool",
	"memory/cxl/route", "memory/cxl/transit", "memory/dram", "memory/ideal", "memory/policy", "memory/tiering", "memory/tiering/placement",
	"noc/allocator", "noc/channel", "noc/collective", "noc/fabric", "noc/network", "noc/routing", "noc/topology", "noc/traffic",
	"workloads/comm", "workloads/graph", "workloads/parallel", "workloads/schedule", "workloads/serving", "workloads/trace",
}

// A drawn mutant is one edit of one file.
type drawn struct {
	room, file string
	line       int
	at, end    int // bytes
	old, new   string
}

func (d drawn) String() string { return fmt.Sprintf("%s:%d: %s -> %s", d.file, d.line, d.old, d.new) }

// A draw says which mutants are drawn, and how they run.
type draw struct {
	total int // mutants of all rooms together; 0: no limit
	each  int // mutants of each room; 0: no limit
	jobs  int // that run at once
	seed  uint64
	short bool
	limit time.Duration
}

// random draws mutants that compile and runs each against the tests of its own package.
func (o draw) random(rooms []string) error {
	if len(rooms) == 0 {
		rooms = coreRooms
	}
	var all []drawn
	for _, room := range rooms {
		sites, err := sitesOf(room)
		if err != nil {
			return err
		}
		all = append(all, sites...)
	}
	n := o.total
	if n == 0 {
		n = o.each * len(rooms)
	}
	fmt.Printf("%d places in %d rooms, %d mutants, seed %d\n", len(all), len(rooms), n, o.seed)
	r := rand.New(rand.NewPCG(o.seed, 1))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	tally := map[string][2]int{}
	begun := map[string]int{}
	caught, tried, next := 0, 0, 0
	var lock sync.Mutex
	var group sync.WaitGroup
	for range max(o.jobs, 1) {
		group.Add(1)
		go func() {
			defer group.Done()
			for {
				lock.Lock()
				for o.each > 0 && next < len(all) && begun[all[next].room] == o.each {
					next++
				}
				i := next
				if tried >= n || i == len(all) {
					lock.Unlock()
					return
				}
				next++
				tried++ // taken back where it does not compile
				d := all[i]
				begun[d.room]++
				lock.Unlock()
				verdict := d.verdict(filepath.Join(dir, strconv.Itoa(i)), o.short, o.limit)
				lock.Lock()
				if verdict == "" {
					tried--
					begun[d.room]--
				} else {
					t := tally[d.room]
					t[1]++
					if verdict != "survived" {
						caught++
						t[0]++
					} else {
						fmt.Printf("survived  %s\n", d)
					}
					tally[d.room] = t
				}
				lock.Unlock()
			}
		}()
	}
	group.Wait()
	names := make([]string, 0, len(tally))
	for room := range tally {
		names = append(names, room)
	}
	slices.Sort(names)
	for _, room := range names {
		fmt.Printf("%3d of %3d  %s\n", tally[room][0], tally[room][1], room)
	}
	fmt.Printf("%d of %d caught by the tests of their own package (%.0f%%)\n", caught, tried, 100*float64(caught)/float64(max(tried, 1)))
	if 100*caught < 85*tried {
		return fmt.Errorf("fewer than 85%% of random mutants are caught")
	}
	return nil
}

// verdict is "" where the mutant does not compile.
func (d drawn) verdict(prefix string, short bool, limit time.Duration) string {
	src, err := os.ReadFile(d.file)
	if err != nil {
		return ""
	}
	broken := prefix + ".go"
	text := string(src[:d.at]) + d.new + string(src[d.end:])
	whole, _ := filepath.Abs(d.file)
	overlay := fmt.Sprintf(`{"Replace": {%q: %q}}`, whole, broken)
	if os.WriteFile(broken, []byte(text), 0o644) != nil || os.WriteFile(prefix+".json", []byte(overlay), 0o644) != nil {
		return ""
	}
	pkg := "./" + d.room
	if exec.Command("go", "build", "-overlay", prefix+".json", pkg).Run() != nil {
		return ""
	}
	args := []string{"test", "-overlay", prefix + ".json", "-vet=off", "-count=1", "-failfast"}
	if short {
		args = append(args, "-short")
	}
	args = append(args, pkg)
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
		return "survived"
	case ctx.Err() != nil:
		return "hung"
	case strings.Contains(string(out), "[build failed]"):
		return ""
	}
	return "caught"
}

// swaps are the operators that a mutant exchanges.
var swaps = map[token.Token]string{
	token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.EQL: "!=", token.NEQ: "==",
	token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*", token.REM: "*", token.LAND: "||", token.LOR: "&&", token.SHL: ">>", token.SHR: "<<",
	token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=", token.MUL_ASSIGN: "/=",
}

// sitesOf lists one mutant for each place of a room's sources that can be broken.
func sitesOf(room string) (out []drawn, err error) {
	files, err := filepath.Glob(room + "/*.go")
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no Go files in %s", room)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, src, 0)
		if err != nil {
			return nil, err
		}
		add := func(from, to token.Pos, text string) {
			a, b := set.Position(from).Offset, set.Position(to).Offset
			out = append(out, drawn{room, file, set.Position(from).Line, a, b, string(src[a:b]), text})
		}
		for _, decl := range tree.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Body == nil || f.Name.Name == "init" || strings.HasPrefix(f.Name.Name, "Example") {
				continue // registrations are texts
			}
			ast.Inspect(f.Body, func(n ast.Node) bool { return mutate(n, add) })
		}
	}
	return out, nil
}

// mutate adds the mutants of one node. It returns false below errors and panics, whose texts
// no test should hold.
func mutate(n ast.Node, add func(from, to token.Pos, text string)) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if text, ok := swaps[n.Op]; ok && !isText(n.X) && !isText(n.Y) {
			add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), text)
		}
	case *ast.AssignStmt:
		if text, ok := swaps[n.Tok]; ok {
			add(n.TokPos, n.TokPos+token.Pos(len(n.Tok.String())), text)
		}
	case *ast.IncDecStmt:
		add(n.Pos(), n.End(), "{}") // dropped
	case *ast.ExprStmt:
		if c, ok := n.X.(*ast.CallExpr); ok && !isPanic(c) {
			add(n.Pos(), n.End(), "{}")
		}
	case *ast.BasicLit:
		if v, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil {
			add(n.Pos(), n.End(), strconv.FormatInt(v+1, 10))
		}
	case *ast.Ident:
		if text, ok := map[string]string{"true": "false", "false": "true"}[n.Name]; ok {
			add(n.Pos(), n.End(), text)
		}
	case *ast.CallExpr:
		if isPanic(n) || isError(n) {
			return false
		}
		if id, ok := n.Fun.(*ast.Ident); ok && len(n.Args) > 1 {
			if text, ok := map[string]string{"min": "max", "max": "min"}[id.Name]; ok {
				add(id.Pos(), id.End(), text)
			}
		}
	}
	return true
}

func isText(e ast.Expr) bool {
	l, ok := e.(*ast.BasicLit)
	return ok && l.Kind == token.STRING
}

func isPanic(c *ast.CallExpr) bool {
	id, ok := c.Fun.(*ast.Ident)
	return ok && id.Name == "panic"
}

// isError reports whether a call makes or formats a message.
func isError(c *ast.CallExpr) bool {
	s, ok := c.Fun.(*ast.SelectorExpr)
	return ok && (strings.HasSuffix(s.Sel.Name, "rrorf") || strings.HasPrefix(s.Sel.Name, "Sprint") || strings.HasPrefix(s.Sel.Name, "Fprint"))
}

// seedOf is a seed of today, or of the text that the caller gives.
func seedOf(text string) uint64 {
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n
	}
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}
