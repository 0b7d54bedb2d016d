package std

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A mention is `path/file.go`, and the `Name` or `Type.Name` that may follow it.
var (
	mention = regexp.MustCompile("`([a-z][a-z0-9_/]*/[a-z0-9_]+\\.go)`(?:\\s+`([A-Za-z.]+)`)?")
	method  = regexp.MustCompile("`([A-Za-z]+)\\.([A-Za-z]+)`")
	folder  = regexp.MustCompile("`((?:[a-z]+/)+(?:[a-z]+|\\{[a-z,0-9]+\\}))`")
)

// Every file and folder that the map of the house names exists, and declares what the
// map says: the name that follows a file, and every `Type.Method` up to the next file
// whose type stands there.
func TestHouseMapIsTrue(t *testing.T) {
	src, err := os.ReadFile("../../docs/house.md")
	require.NoError(t, err)
	text := string(src)
	all := mention.FindAllStringSubmatchIndex(text, -1)
	require.Greater(t, len(all), 30)
	methods := 0
	for i, m := range all {
		file := text[m[2]:m[3]]
		if !assertFile(t, filepath.Join("../..", file)) {
			continue
		}
		declared := declarations(t, filepath.Join("../..", filepath.Dir(file)))
		if m[4] >= 0 {
			if name := text[m[4]:m[5]]; !declared[name] {
				t.Errorf("docs/house.md: %s declares no %s", file, name)
			}
		}
		end := len(text)
		if i+1 < len(all) {
			end = all[i+1][0]
		}
		for _, x := range method.FindAllStringSubmatch(text[m[1]:end], -1) {
			if !declared[x[1]] {
				continue // a key or a name of another package
			}
			methods++
			if !declared[x[1]+"."+x[2]] {
				t.Errorf("docs/house.md: %s has no method %s.%s", filepath.Dir(file), x[1], x[2])
			}
		}
	}
	require.Greater(t, methods, 5)
	for _, m := range folder.FindAllStringSubmatch(text, -1) {
		for _, dir := range expand(m[1]) {
			_, err := os.Stat(filepath.Join("../..", dir))
			require.NoError(t, err, "docs/house.md names %s", dir)
		}
	}
}

func assertFile(t *testing.T, file string) bool {
	_, err := os.Stat(file)
	if err != nil {
		t.Errorf("docs/house.md names %s: %v", file, err)
	}
	return err == nil
}

// expand writes a/{b,c} out.
func expand(s string) []string {
	head, rest, ok := strings.Cut(s, "{")
	if !ok {
		return []string{s}
	}
	var out []string
	for part := range strings.SplitSeq(strings.TrimSuffix(rest, "}"), ",") {
		out = append(out, head+part)
	}
	return out
}

// declarations are the names of a package: Name, or Type.Name of a method.
func declarations(t *testing.T, dir string) map[string]bool {
	out := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				out[d.Name.Name] = true
				if d.Recv != nil {
					out[receiver(d.Recv.List[0].Type)+"."+d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if ty, ok := s.(*ast.TypeSpec); ok {
						out[ty.Name.Name] = true
					}
				}
			}
		}
	}
	return out
}

func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}
