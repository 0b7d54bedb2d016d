package systolic

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"
)

// The event-driven core never uses what it is compared with: no file of it names
// anything that the files of the recurrence declare.
func TestTileIsApartFromAnalytic(t *testing.T) {
	declared := map[string]bool{}
	walk := func(file string, f func(ast.Node)) {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		ast.Inspect(tree, func(n ast.Node) bool { f(n); return true })
	}
	for _, file := range []string{"analytic.go", "recurrence.go", "skip.go", "../../components/clock/crossing.go"} {
		walk(file, func(n ast.Node) {
			switch d := n.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					declared[d.Name.Name] = true
				}
			case *ast.TypeSpec:
				declared[d.Name.Name] = true
			}
		})
	}
	require.True(t, declared["recurrence"] && declared["NewCrossing"] && declared["Analytic"])
	delete(declared, "walker") // the steps, which both read
	for _, file := range []string{"tile.go", "queue.go", "slot.go", "burst/burst.go", "core.go", "share.go", "dependency.go", "reuse.go", "stalls.go", "layer.go"} {
		walk(file, func(n ast.Node) {
			if id, ok := n.(*ast.Ident); ok {
				require.False(t, declared[id.Name], "%s uses %s", file, id.Name)
			}
		})
	}
}
