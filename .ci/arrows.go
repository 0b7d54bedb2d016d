//go:build ignore

// Arrows counts how often files of some packages refer to each other, and how many of
// these arrows climb.
//
// An arrow runs from one file to another if the first uses a type, function, method, field,
// variable or constant that the second declares, as go/types resolves it; tests do not
// count. The files are put in the order that leaves the fewest arrows against it (each file
// is moved to its best place until nothing improves, from 30 fixed orders; the best
// counts); those that run against it climb.
//
//	.ci/arrows ./memory/cxl ./memory/cxl/transit
//	.ci/arrows -v ./memory/cache     every file in order, and what it climbs to
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

type arrow struct{ from, to string }

const module = "github.com/causeway-sim/causeway"

func main() {
	verbose := flag.Bool("v", false, "print the order, and which arrows climb")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "arrows: which packages? For example .ci/arrows ./memory/cxl ./memory/cxl/transit")
		os.Exit(2)
	}
	files, arrows, err := read(flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "arrows:", err)
		os.Exit(1)
	}
	g := newGraph(files, arrows)
	order := g.best()
	n := g.climbing(order)
	largest, inside := g.circles()
	fmt.Printf("%s: %d files, %d arrows, %d climb (%.0f%%); %d arrows in circles, the largest of %d files\n",
		strings.Join(flag.Args(), " "), len(files), len(arrows), n, 100*float64(n)/float64(max(len(arrows), 1)), inside, largest)
	if !*verbose {
		return
	}
	for i, f := range order {
		line := "  " + short(files[f])
		for _, above := range order[:i] {
			if g.uses[f][above] {
				line += " -> " + short(files[above])
			}
		}
		fmt.Println(line)
	}
}

func short(file string) string {
	return filepath.Join(filepath.Base(filepath.Dir(file)), filepath.Base(file))
}

// read finds the files of packages and the arrows between them.
func read(patterns []string) (files []string, arrows map[arrow]bool, err error) {
	list := func(args ...string) ([]string, error) {
		c := exec.Command("go", append(append([]string{"list"}, args...), patterns...)...)
		c.Stderr = os.Stderr
		out, err := c.Output()
		return strings.Fields(string(out)), err
	}
	mine, err := list("-f", "{{.ImportPath}}")
	if err != nil {
		return nil, nil, err
	}
	deps, err := list("-deps", "-export", "-f", `{{.ImportPath}}|{{.Dir}}|{{.Export}}|{{join .GoFiles ","}}`)
	if err != nil {
		return nil, nil, err
	}
	export := map[string]string{}
	for _, d := range deps {
		x := strings.Split(d, "|")
		export[x[0]] = x[2]
	}
	fset := token.NewFileSet()
	done := checked{compiled: importer.ForCompiler(fset, "gc", func(p string) (io.ReadCloser, error) { return os.Open(export[p]) }), source: map[string]*types.Package{}}
	arrows = map[arrow]bool{}
	for _, d := range deps { // what is imported comes first
		x := strings.Split(d, "|")
		if !strings.HasPrefix(x[0], module+"/") {
			continue // compiled; packages of the module, from their source, so that each of their types is one
		}
		own := slices.Contains(mine, x[0])
		var parsed []*ast.File
		for _, name := range strings.Split(x[3], ",") {
			f, err := parser.ParseFile(fset, filepath.Join(x[1], name), nil, 0)
			if err != nil {
				return nil, nil, err
			}
			parsed = append(parsed, f)
			if own {
				files = append(files, filepath.Join(x[1], name))
			}
		}
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
		p, err := (&types.Config{Importer: done}).Check(x[0], fset, parsed, info)
		if err != nil {
			return nil, nil, err
		}
		done.source[x[0]] = p
		if !own {
			continue
		}
		for id, obj := range info.Uses {
			if obj.Pkg() == nil || !slices.Contains(mine, obj.Pkg().Path()) {
				continue
			}
			if _, is := obj.(*types.PkgName); is {
				continue
			}
			if a := (arrow{fset.Position(id.Pos()).Filename, fset.Position(obj.Pos()).Filename}); a.from != a.to && a.to != "" {
				arrows[a] = true
			}
		}
	}
	slices.Sort(files)
	return files, arrows, nil
}

// checked imports packages that were checked from their source, and others as compiled.
type checked struct {
	compiled types.Importer
	source   map[string]*types.Package
}

func (c checked) Import(path string) (*types.Package, error) {
	if p := c.source[path]; p != nil {
		return p, nil
	}
	return c.compiled.Import(path)
}

// A graph tells which file uses which.
type graph struct{ uses [][]bool }

func newGraph(files []string, arrows map[arrow]bool) graph {
	g := graph{make([][]bool, len(files))}
	for i, from := range files {
		g.uses[i] = make([]bool, len(files))
		for k, to := range files {
			g.uses[i][k] = arrows[arrow{from, to}]
		}
	}
	return g
}

// climbing counts the arrows to files that stand before.
func (g graph) climbing(order []int) (n int) {
	for i, f := range order {
		for _, above := range order[:i] {
			if g.uses[f][above] {
				n++
			}
		}
	}
	return n
}

// best is the order with the fewest climbing arrows that was found.
func (g graph) best() (best []int) {
	for seed := range int64(30) {
		order := rand.New(rand.NewSource(seed)).Perm(len(g.uses))
		for g.improve(order) {
		}
		if best == nil || g.climbing(order) < g.climbing(best) {
			best = order
		}
	}
	return best
}

// improve moves each file to its best place, and reports whether any moved.
func (g graph) improve(order []int) (moved bool) {
	for i := range order {
		f := order[i]
		rest := slices.Concat(order[:i], order[i+1:])
		cost := 0 // at the front
		for _, o := range rest {
			if g.uses[o][f] {
				cost++
			}
		}
		here, least, place := cost, cost, 0
		for k, o := range rest {
			if g.uses[o][f] {
				cost--
			}
			if g.uses[f][o] {
				cost++
			}
			if k+1 == i {
				here = cost
			}
			if cost < least {
				least, place = cost, k+1
			}
		}
		if least < here {
			copy(order, slices.Insert(rest, place, f))
			moved = true
		}
	}
	return moved
}

// circles counts the arrows within circles of files, and the files of the largest.
func (g graph) circles() (largest, arrows int) {
	reach := make([][]bool, len(g.uses))
	for i := range reach {
		reach[i] = slices.Clone(g.uses[i])
	}
	for k := range reach {
		for i := range reach {
			for j := range reach {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	for i := range reach {
		n := 0
		for j := range reach {
			if reach[i][j] && reach[j][i] {
				n++
			}
			if g.uses[i][j] && reach[j][i] {
				arrows++
			}
		}
		largest = max(largest, n)
	}
	return largest, arrows
}
