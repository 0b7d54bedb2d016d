package graph

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func typeName(k Kind) string { return fmt.Sprintf("%T", k) }

// Every type of this package with a check method is in Kinds, once.
func TestKindsAreListed(t *testing.T) {
	listed := map[string]int{}
	for _, k := range Kinds {
		listed[strings.TrimPrefix(typeName(k), "graph.")]++
	}
	files, err := os.ReadDir(".")
	require.NoError(t, err)
	found := 0
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		require.NoError(t, err)
		for _, d := range tree.Decls {
			m, ok := d.(*ast.FuncDecl)
			if !ok || m.Recv == nil || m.Name.Name != "check" {
				continue
			}
			name := m.Recv.List[0].Type.(*ast.Ident).Name
			if strings.HasSuffix(f.Name(), "_test.go") {
				continue
			}
			found++
			require.Equal(t, 1, listed[name], "%s is a kind and is missing in Kinds", name)
		}
	}
	require.Len(t, Kinds, found)
}

// sorted is a kind that is not in Kinds.
type sorted struct{ Softmax }

func (sorted) Type() string { return "sort" }

func TestValidateRefusesAnUnlistedKind(t *testing.T) {
	b := NewBuilder("new")
	x := b.Op("sort", sorted{Softmax{Rows: 2, Cols: 3}}, []TensorID{b.Input("x", 2, 3)}, 2, 3)
	b.Output(x)
	_, err := b.Graph()
	require.EqualError(t, err, "new: sort: its kind sort is not in the list of kinds")
}

func TestValidateRefusesAnUnknownNorm(t *testing.T) {
	b := NewBuilder("new")
	b.Output(b.Norm("n", "nothing", b.Input("x", 2, 3)))
	_, err := b.Graph()
	require.EqualError(t, err, `new: n: unknown normalisation "nothing" (want one of: `+strings.Join(Norms(), ", ")+")")
}

// Each normalisation costs operations, and its statistics are a part of them.
func TestNormRules(t *testing.T) {
	for _, name := range Norms() {
		k := Norm{Func: name, Rows: 3, Cols: 8}
		r := k.Rule()
		require.Equal(t, name, r.Name)
		require.NotEmpty(t, r.Source, name)
		require.Equal(t, 3*(8*r.Element+r.Row), k.VectorOps(), name)
		require.Positive(t, k.VectorOps(), name)
		require.Less(t, r.Statistics, r.Element+1, name)
		require.Equal(t, r.Scope.Sums(), r.Row > 0, "%s: operations per vector belong to sums over it", name)
		more := k
		more.Bias = true
		require.Equal(t, k.VectorOps()+24, more.VectorOps(), name)
		require.Equal(t, int64(5), k.WithRows(5).(Norm).Rows)
	}
}
