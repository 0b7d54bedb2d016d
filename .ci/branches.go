//go:build ignore

// Branches counts the functions with many branches: if, for, range, case, &&, ||. Tests
// and generated files do not count. Default clauses do not branch.
//
//	.ci/branches              how many have 20 or more; exit 1 for more than the limit
//	.ci/branches -v [DIR...]  which, the worst first
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// most is how many functions may have many branches. Who splits one lowers it.
const most = 11

// many is how many branches are many.
const many = 20

type function struct {
	name     string
	branches int
}

func main() {
	verbose := flag.Bool("v", false, "name them")
	flag.Parse()
	roots := flag.Args()
	if len(roots) == 0 {
		roots = []string{"."}
	}
	var crowded []function
	all := 0
	for _, root := range roots {
		if err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != root) {
				return fs.SkipDir
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			for _, f := range functions(path) {
				all++
				if f.branches >= many {
					crowded = append(crowded, f)
				}
			}
			return nil
		}); err != nil {
			fmt.Fprintln(os.Stderr, "branches:", err)
			os.Exit(1)
		}
	}
	if *verbose {
		slices.SortStableFunc(crowded, func(a, b function) int { return b.branches - a.branches })
		for _, f := range crowded {
			fmt.Printf("%3d %s\n", f.branches, f.name)
		}
	}
	fmt.Printf("%d of %d functions have %d branches or more\n", len(crowded), all, many)
	if len(flag.Args()) == 0 && len(crowded) > most {
		fmt.Fprintf(os.Stderr, "branches: more than %d: split one (.ci/branches -v names them)\n", most)
		os.Exit(1)
	}
}

// functions lists those of a file.
func functions(path string) (out []function) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		fmt.Fprintln(os.Stderr, "branches:", err)
		os.Exit(1)
	}
	if ast.IsGenerated(file) {
		return nil
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			out = append(out, function{fmt.Sprintf("%s:%d %s", path, fset.Position(f.Pos()).Line, f.Name.Name), branches(f.Body)})
		}
	}
	return out
}

func branches(body *ast.BlockStmt) (n int) {
	ast.Inspect(body, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if x.List != nil {
				n++
			}
		case *ast.CommClause:
			if x.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}
