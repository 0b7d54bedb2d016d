//go:build ignore

package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// coreRooms are the packages whose own tests must notice a random fault: the pure rooms and
// the nodes. Presentation, commands and generated code are left out.
var coreRooms = []string{
	"accelerators/dataflow", "accelerators/gpu/kernel", "accelerators/mapping", "accelerators/mapping/attention", "accelerators/mapping/layout", "accelerators/mapping/machine", "accelerators/mapping/product", "accelerators/mapping/tile", "accelerators/mapping/vector", "accelerators/mapping/walk", "accelerators/nest", "accelerators/spatial", "accelerators/systolic",
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
	at, end    int    // bytes of the expression or statement
	whole      string // what stands there in the mutant
	old, new   string
	result     string // the type of an expression; "" of a statement
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
	dir   string // where binaries are built
}

// random draws mutants and runs each against the tests of its own package. All mutants of a
// package are compiled into one binary of its tests (mutate_build.go).
func (o draw) random(rooms []string) error {
	if len(rooms) == 0 {
		rooms = coreRooms
	}
	sites, places := map[string][]drawn{}, 0
	for _, room := range rooms {
		all, err := sitesOf(room)
		if err != nil {
			return err
		}
		r := rand.New(rand.NewPCG(o.seed, seedOf(room)))
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		sites[room] = all
		places += len(all)
	}
	n := o.total
	if n == 0 {
		n = o.each * len(rooms)
	}
	fmt.Printf("%d places in %d rooms, %d mutants, seed %d\n", places, len(rooms), n, o.seed)
	caught, tried := 0, 0
	for i, room := range rooms {
		quota := o.each
		if o.total > 0 { // in proportion to the places of the room
			quota = max(1, len(sites[room])*o.total/max(places, 1))
		}
		c, t, err := o.room(filepath.Join(o.dir, strconv.Itoa(i)), room, sites[room], quota)
		if err != nil {
			return err
		}
		caught, tried = caught+c, tried+t
		fmt.Printf("%3d of %3d  %s\n", c, t, room)
	}
	fmt.Printf("%d of %d caught by the tests of their own package (%.0f%%)\n", caught, tried, 100*float64(caught)/float64(max(tried, 1)))
	if 100*caught < 85*tried {
		return fmt.Errorf("fewer than 85%% of random mutants are caught")
	}
	return nil
}

// room runs a quota of the mutants of one package.
func (o draw) room(dir, room string, all []drawn, quota int) (caught, tried int, err error) {
	b, err := build(dir, room, all, quota)
	if err != nil {
		return 0, 0, err
	}
	defer forget([]string{"./" + room})()
	reached, limit, err := b.baseline(o.short, o.limit)
	if err != nil {
		return 0, 0, err
	}
	var lock sync.Mutex
	var group sync.WaitGroup
	next := 0
	for range max(o.jobs, 1) {
		group.Go(func() {
			for {
				lock.Lock()
				i := next
				next++
				lock.Unlock()
				if i >= len(b.sites) {
					return
				}
				verdict := "not reached"
				if reached[i] {
					verdict = b.verdict(i, o.short, limit)
				}
				lock.Lock()
				tried++
				if verdict == "caught" || verdict == "hung" {
					caught++
				} else {
					fmt.Printf("%-11s  %s\n", verdict, b.sites[i])
				}
				lock.Unlock()
			}
		})
	}
	group.Wait()
	return caught, tried, nil
}

// swaps are the operators that a mutant exchanges.
var swaps = map[token.Token]string{
	token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.EQL: "!=", token.NEQ: "==",
	token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*", token.REM: "*", token.LAND: "||", token.LOR: "&&", token.SHL: ">>", token.SHR: "<<",
	token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=", token.MUL_ASSIGN: "/=",
}

// sitesOf lists one mutant for each place of a room's sources that can be broken.
func sitesOf(room string) (out []drawn, err error) {
	files, info, set, err := checkedFiles(room)
	if err != nil {
		return nil, err
	}
	for _, tree := range files {
		file := set.Position(tree.Pos()).Filename
		src, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		add := func(of ast.Node, from, to token.Pos, text string) {
			at, end := set.Position(of.Pos()).Offset, set.Position(of.End()).Offset
			a, b := set.Position(from).Offset, set.Position(to).Offset
			d := drawn{room: room, file: file, line: set.Position(from).Line, at: at, end: end, old: string(src[a:b]), new: text}
			d.whole = string(src[at:a]) + text + string(src[b:end])
			if e, ok := of.(ast.Expr); ok {
				if d.result = typeName(info, tree, e); d.result == "" {
					return
				}
			} else if text == "" {
				d.whole = ""
			}
			out = append(out, d)
		}
		for _, decl := range tree.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Body == nil || f.Name.Name == "init" || strings.HasPrefix(f.Name.Name, "Example") {
				continue // registrations are texts
			}
			ast.Inspect(f.Body, func(n ast.Node) bool { return mutate(n, info, add) })
		}
	}
	return out, nil
}

// mutate adds the mutants of one node. It returns false below errors and panics, whose texts
// no test should hold.
func mutate(n ast.Node, info *types.Info, add func(of ast.Node, from, to token.Pos, text string)) bool {
	switch n := n.(type) {
	case *ast.ArrayType, *ast.BranchStmt:
		return false // lengths are constants
	case *ast.GenDecl:
		return n.Tok != token.CONST
	case *ast.BinaryExpr:
		if text, ok := swaps[n.Op]; ok && !isText(info, n.X) {
			add(n, n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), text)
		}
	case *ast.AssignStmt:
		if text, ok := swaps[n.Tok]; ok && !isText(info, n.Lhs[0]) {
			add(n, n.TokPos, n.TokPos+token.Pos(len(n.Tok.String())), text)
		}
	case *ast.IncDecStmt:
		add(n, n.Pos(), n.End(), "") // dropped
	case *ast.ExprStmt:
		if c, ok := n.X.(*ast.CallExpr); ok && !isPanic(c) {
			add(n, n.Pos(), n.End(), "")
		}
	case *ast.BasicLit:
		if v, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil {
			add(n, n.Pos(), n.End(), strconv.FormatInt(v+1, 10))
		}
	case *ast.Ident:
		if text, ok := map[string]string{"true": "false", "false": "true"}[n.Name]; ok {
			add(n, n.Pos(), n.End(), text)
		}
	case *ast.CallExpr:
		if isPanic(n) || isError(n) {
			return false
		}
		if id, ok := n.Fun.(*ast.Ident); ok && len(n.Args) > 1 {
			if text, ok := map[string]string{"min": "max", "max": "min"}[id.Name]; ok {
				add(n, id.Pos(), id.End(), text)
			}
		}
	}
	return true
}

func isText(info *types.Info, e ast.Expr) bool {
	t := info.TypeOf(e)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// typeName is an expression's type as its file writes it, "" where the file cannot.
func typeName(info *types.Info, file *ast.File, e ast.Expr) string {
	t := info.TypeOf(e)
	if t == nil {
		return ""
	}
	known := true
	name := types.TypeString(types.Default(t), func(p *types.Package) string {
		if p.Name() == file.Name.Name {
			return ""
		}
		for _, imported := range file.Imports {
			if path, _ := strconv.Unquote(imported.Path.Value); path == p.Path() {
				if imported.Name != nil {
					return imported.Name.Name
				}
				return p.Name()
			}
		}
		known = false
		return ""
	})
	if !known {
		return ""
	}
	return name
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
