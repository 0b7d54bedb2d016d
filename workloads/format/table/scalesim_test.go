package table

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/format/formattest"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

const convHeader = "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides,\n"

func scaleSimText(t *testing.T, text string, o format.Options) ([]ScaleSimLayer, error) {
	t.Helper()
	return readScaleSim(format.Bytes("f.csv", []byte(text)), o)
}

func TestScaleSimVariants(t *testing.T) {
	conv := ScaleSimLayer{Name: "c", Line: 2, H: 10, W: 12, R: 3, S: 5, C: 4, Filters: 8, StrideH: 2, StrideW: 2, M: 5 * 5, N: 8, K: 60, Batch: 1}
	gemm := ScaleSimLayer{Name: "g", Line: 2, GEMM: true, H: 7, W: 9, R: 1, S: 9, C: 1, Filters: 5, StrideH: 1, StrideW: 1, M: 7, N: 5, K: 9, Batch: 1}
	with := func(l ScaleSimLayer, f func(*ScaleSimLayer)) ScaleSimLayer { f(&l); return l }
	for _, c := range []struct {
		name, text string
		o          format.Options
		want       ScaleSimLayer
	}{
		{"plain", convHeader + "c, 10, 12, 3, 5, 4, 8, 2,\n", format.Options{}, conv},
		{"no trailing comma, no newline", convHeader + "c,10,12,3,5,4,8,2", format.Options{}, conv},
		{"byte order mark, CRLF, non-breaking blanks", "\ufeff" + strings.ReplaceAll(convHeader, "\n", "\r\n") + "c\u00a0, \u00a010,12,3,5,4,8,2,\r\n", format.Options{}, conv},
		{"CR only", strings.ReplaceAll(convHeader, "\n", "\r") + "c,10,12,3,5,4,8,2,\r", format.Options{}, conv},
		{"tabs", strings.ReplaceAll(convHeader, ",", "\t") + "c\t10\t12\t3\t5\t4\t8\t2\t\n", format.Options{}, conv},
		{"semicolons", strings.ReplaceAll(convHeader, ",", ";") + "c;10;12;3;5;4;8;2", format.Options{}, conv},
		{"quotes", convHeader + `"c",10,"12",3,5,4,8,2`, format.Options{}, conv},
		{"lines without content", convHeader + ",,,,,,,\n\n  \n\t\nc,10,12,3,5,4,8,2,\n,,,,\n\n", format.Options{}, with(conv, func(l *ScaleSimLayer) { l.Line = 6 })},
		{"two widths", "Layer,IFMAP Width,IFMAP Width,Filter Width,Filter Width,Channels,Num Filter,Strides,\nc,10,12,3,5,4,8,2,", format.Options{}, conv},
		{"other order", "channels,num filters,layer name,filter width,filter height,ifmap width,ifmap height,stride\n4,8,c,5,3,12,10,2", format.Options{}, conv},
		{"two strides by title", convHeader[:len(convHeader)-1] + "Strides\nc,10,12,3,5,4,8,2,1", format.Options{}, with(conv, func(l *ScaleSimLayer) { l.StrideW, l.M = 1, 5*8 })},
		{"two strides as written by SCALE-Sim", "Layer name,IFMAP height,IFMAP width,Filter height,Filter width,Channels,Num filter,Stride height,Stride width,\nc,10,12,3,5,4,8,2,1,\n", format.Options{}, with(conv, func(l *ScaleSimLayer) { l.StrideW, l.M = 1, 5*8 })},
		{"second stride without title", convHeader + "c,10,12,3,5,4,8,2,1,", format.Options{}, with(conv, func(l *ScaleSimLayer) { l.StrideW, l.M = 1, 5*8 })},
		{"batch column", convHeader[:len(convHeader)-1] + "Batch Size,\nc,10,12,3,5,4,8,2,6,", format.Options{}, with(conv, func(l *ScaleSimLayer) { l.Batch = 6 })},
		{"batch column left empty", convHeader[:len(convHeader)-1] + "batch size,\nc,10,12,3,5,4,8,2,", format.Options{}, conv},
		{"sparsity", convHeader[:len(convHeader)-1] + "Sparsity,\nc,10,12,3,5,4,8,2,2:4,", format.Options{}, with(conv, func(l *ScaleSimLayer) { l.SparseN, l.SparseM = 2, 4 })},
		{"sparsity without title", convHeader + "c,10,12,3,5,4,8,2, 1 : 4 ,", format.Options{}, with(conv, func(l *ScaleSimLayer) { l.SparseN, l.SparseM = 1, 4 })},
		{"comment", convHeader + "c,10,12,3,5,4,8,2,#dw", format.Options{}, conv},
		{"notes", convHeader[:len(convHeader)-1] + ",,Eh,Ew\nc,10,12,3,5,4,8,2,,,9,9", format.Options{}, conv},
		{"spreadsheet number", convHeader + "c,10.0,1.2e1,3,5,4,8,2,", format.Options{}, conv},
		{"empty name", convHeader + ",10,12,3,5,4,8,2,", format.Options{}, with(conv, func(l *ScaleSimLayer) { l.Name = "layer_1" })},
		{"heading", convHeader + "Net,\nc,10,12,3,5,4,8,2,", format.Options{}, with(conv, func(l *ScaleSimLayer) { l.Section, l.Line = "Net", 3 })},
		{"symbols", convHeader + "c,10,12,3,5,C_in,F,2,", format.Options{Symbols: map[string]int{"C_in": 4, "F": 8}}, conv},
		{"matrix product", "Layer,M,N,K,\ng,7,5,9,", format.Options{}, gemm},
		{"matrix product, other order", "K, Layer Name, N, M\n9, g, 5, 7", format.Options{}, gemm},
		{"matrix product, sparsity", "Layer,M,N,K,Sparsity\ng,7,5,9,3:4,", format.Options{}, with(gemm, func(l *ScaleSimLayer) { l.SparseN, l.SparseM = 3, 4 })},
		{"matrix product, batch in column 5", "Layer,M,N,K,\ng,7,5,9,12,", format.Options{}, with(gemm, func(l *ScaleSimLayer) { l.Batch = 12 })},
		{"matrix product, batch and sparsity", "Layer,M,N,K,Sparsity,Batch\ng,7,5,9,1:2,12", format.Options{}, with(gemm, func(l *ScaleSimLayer) { l.Batch, l.SparseN, l.SparseM = 12, 1, 2 })},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := scaleSimText(t, c.text, c.o)
			require.NoError(t, err)
			require.Equal(t, []ScaleSimLayer{c.want}, got)
		})
	}
}

func TestScaleSimErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "f.csv:1:1: the file has no header line (want one of: " + strings.Join(headerExamples, ", ") + ")"},
		{"utf-16", "\xff\xfeL\x00", "f.csv:1:1: the file is UTF-16; save it as UTF-8"},
		{"no layer", "\n\n" + convHeader, "f.csv:3:99: the file ends behind the header, without a layer"},
		{"no header", "c,10,12,3,5,4,8,2,", "f.csv:1:1: the first line is a layer, but it must be the header (want one of: " + strings.Join(headerExamples, ", ") + ")"},
		{"cut in a row", convHeader + "c,10,12,3,5", "f.csv:2:12: channels is missing\nf.csv:2:12: num filter is missing\nf.csv:2:12: strides is missing"},
		{"cut in a name", convHeader + "c,10,12,3,5,4,8,2,\nConv", "f.csv:3:5: the file ends behind the heading \"Conv\"; is it cut off?"},
		{"column lacks", "Layer,M,N,Key\na,1,2,3", "f.csv:1:1: the first line is not the header"},
		{"conv column lacks", strings.Replace(convHeader, "Channels", "Chanels", 1) + "c,10,12,3,5,4,8,2,", "f.csv:1:98: the header lacks channels\nf.csv:1:69: unknown column \"Chanels\""},
		{"column twice", "Layer,M,N,K,M\na,1,2,3,4", "f.csv:1:13: the column \"M\" appears twice"},
		{"mixed header", "Layer,M,N,K,Channels\na,1,2,3,4", "f.csv:1:13: column \"Channels\" does not belong into a file of this kind"},
		{"not a number", convHeader + "c,10,12,3,5,4,8x,2,", "f.csv:2:15: num filter is \"8x\", which is not a number"},
		{"fraction", convHeader + "c,10,12.5,3,5,4,8,2,", "f.csv:2:6: ifmap width is 12.5; it must be a whole number from 1 to 2147483647"},
		{"zero", convHeader + "c,10,12,3,5,4,8,0,", "f.csv:2:17: strides is 0; it must be a whole number from 1 to 2147483647"},
		{"negative", convHeader + "c,-10,12,3,5,4,8,2,", "f.csv:2:3: ifmap height is -10; it must be a whole number from 1 to 2147483647"},
		{"too long for 64 bits", convHeader + "c,10,12,3,5,4,99999999999999999999,2,", "f.csv:2:15: num filter is 99999999999999999999; it must be a whole number from 1 to 2147483647"},
		{"too large", convHeader + "c,2147483647,2147483647,1,1,2147483647,2,1,", "f.csv:2:1: layer c is too large: at most 2^52 elements per array and 2^60 multiply-accumulates per file"},
		{"too much in sum", "L,M,N,K\na,1048576,1048576,1048576\nb,1,1,1", "f.csv:3:1: layer b is too large"},
		{"symbols, each once", convHeader + "c,10,B,3,5,B,8,2,\nd,10,B,3,5,H,8,2,", "f.csv:2:6: ifmap width is the symbol \"B\", which has no value; give it one (symbols: {B: ...})\nf.csv:3:12: channels is the symbol \"H\""},
		{"filter high", convHeader + "c,2,12,3,5,4,8,2,", "f.csv:2:8: the filter height 3 is larger than the ifmap height 2 (this format has no padding)"},
		{"filter wide", convHeader + "c,10,4,3,5,4,8,2,", "f.csv:2:10: the filter width 5 is larger than the ifmap width 4"},
		{"sparsity", convHeader + "c,10,12,3,5,4,8,2,4:2,", "f.csv:2:19: sparsity \"4:2\" is not N:M"},
		{"behind the header", convHeader + "c,10,12,3,5,4,8,2,,9", "f.csv:2:20: \"9\" stands behind the last column of the header"},
		{"depthwise", convHeader + "DP,10,12,3,5,99999,1,2,", "f.csv:2:1: with layer DP the file has more than 65536 layers"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := scaleSimText(t, c.text, format.Options{})
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestScaleSimErrorsAreBounded(t *testing.T) {
	_, err := scaleSimText(t, convHeader+strings.Repeat("c,x!,12,3,5,4,8,2,\n", 1000), format.Options{})
	require.Len(t, strings.Split(err.Error(), "\n"), format.MaxErrors+1)
	require.ErrorContains(t, err, "and 980 more errors")
	var e *format.Error
	require.True(t, errors.As(err, &e))
	require.Equal(t, format.Error{File: "f.csv", Line: 2, Col: 3, Msg: `ifmap height is "x!", which is not a number`}, *e)
}

func TestScaleSimDepthwiseRowsAreSplit(t *testing.T) {
	got, err := scaleSimText(t, convHeader+"convDP,10,10,3,3,3,2,1,", format.Options{})
	require.NoError(t, err)
	require.Len(t, got, 3)
	for i, l := range got {
		require.Equal(t, fmt.Sprintf("convDPChannel_%d", i), l.Name)
		require.Equal(t, [3]int64{64, 2, 9}, [3]int64{l.M, l.N, l.K})
	}
}

func TestScaleSimGraph(t *testing.T) {
	text := convHeader + "A,\nc,10,12,3,5,4,8,4,\nc,10,12,3,5,4,8,4,\nc_2,5,5,5,5,1,1,1,"
	g, name, err := format.Read(format.Bytes("dir/net.csv", []byte(text)), format.Options{Batch: 3, DTypes: graph.Uniform(graph.FP16)})
	require.NoError(t, err)
	require.Equal(t, "scalesim", name)
	require.Equal(t, "net", g.Name)
	require.Equal(t, map[string]int{"batch": 3}, g.Symbols)
	require.Equal(t, []string{"A/c", "A/c_2", "A/c_2_2"}, []string{g.Ops[0].Name, g.Ops[1].Name, g.Ops[2].Name})
	// ceil((10-3+4)/4) = 3 rows and ceil((12-5+4)/4) = 3 columns, where the floor
	// rule has 2 and 2.
	c := g.Ops[0].Kind.(graph.Conv)
	require.Equal(t, []int{3, 3}, []int{c.OutH(), c.OutW()})
	require.Equal(t, []int{1, 1}, []int{c.PadBottom, c.PadRight})
	require.Equal(t, int64(3*9*8*60), g.Ops[0].MACs())
	w := g.Tensor(g.Ops[0].In[1])
	require.Equal(t, graph.Tensor{Name: "A/c.filter", Role: graph.Weight, DType: graph.FP16, Shape: []int{8, 4, 3, 5}}, *w)
	require.Equal(t, []int{3, 8, 3, 3}, g.Tensor(g.Ops[0].Out[0]).Shape)

	g, _, err = format.Read(format.Bytes("g.csv", []byte("Layer,M,N,K,\na,7,5,9,\nb,7,5,9,4,")), format.Options{Batch: 2, Name: "x"})
	require.NoError(t, err)
	require.Equal(t, "x", g.Name)
	require.Equal(t, graph.MatMul{Batch: 1, M: 14, N: 5, K: 9, SharedB: 1}, g.Ops[0].Kind)
	require.Equal(t, graph.MatMul{Batch: 4, M: 14, N: 5, K: 9, SharedB: 1}, g.Ops[1].Kind)
	require.Equal(t, []int{4, 9, 5}, g.Tensor(g.Ops[1].In[1]).Shape)

	_, _, err = format.Read(format.Bytes("g.csv", []byte("Layer,M,N,K,\na,1048576,1048576,1048576")), format.Options{Batch: 2})
	require.ErrorContains(t, err, "g.csv:2:1: with batch 2 the file has more than")
	_, _, err = format.Read(format.Bytes("g.csv", []byte("Layer,M,N,K,\na,1,1,1")), format.Options{Batch: -1})
	require.ErrorContains(t, err, "g.csv: the batch is -1; it must be at least 1")
}

// Dumb twin: any layer, printed the way SCALE-Sim prints it, comes back, and
// counts one output pixel per step of the window that starts inside.
func TestScaleSimRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := func(name string, hi int) int { return rapid.IntRange(1, hi).Draw(rt, name) }
		h, w := n("h", 40), n("w", 40)
		r, s := n("r", h), n("s", w)
		c, k, sh, sw, b := n("c", 64), n("k", 64), n("sh", 9), n("sw", 9), n("b", 4)
		pixels := func(in, k, s int) (n int) {
			for at := 0; ; at += s {
				n++
				if at >= in-k {
					return n
				}
			}
		}
		text := convHeader[:len(convHeader)-1] + "Stride Width, Batch\n" + fmt.Sprintf("l, %d, %d,%d, %d,%d ,%d,%d,%d,%d", h, w, r, s, c, k, sh, sw, b)
		got, err := readScaleSim(format.Bytes("f.csv", []byte(text)), format.Options{})
		require.NoError(rt, err)
		m := int64(pixels(h, r, sh) * pixels(w, s, sw))
		require.Equal(rt, []ScaleSimLayer{{Name: "l", Line: 2, H: h, W: w, R: r, S: s, C: c, Filters: k, StrideH: sh, StrideW: sw,
			M: m, N: int64(k), K: int64(r * s * c), Batch: b}}, got)
		g, _, err := format.Read(format.Bytes("f.csv", []byte(text)), format.Options{})
		require.NoError(rt, err)
		require.Equal(rt, got[0].MACs(), g.MACs())
	})
}

func FuzzScaleSim(f *testing.F) {
	f.Add([]byte(convHeader + "c,10,12,3,5,4,8,2,\nNet,\nDP,10,12,3,5,4,8,2,1:4\n"))
	f.Add([]byte("Layer,M,N,K,Sparsity\ng,7,5,9,3:4,\r\n,,,\n\"a,b\",1e3,B,2147483647"))
	f.Add([]byte("\ufeffLayer\tIFMAP Width\tIFMAP Width\tFilter Width\tFilter Width\tChannels\tNum Filter\tStrides\tStrides\rc\t1\t1\t1\t1\t1\t1\t1\t#x"))
	f.Fuzz(func(t *testing.T, data []byte) {
		src := format.Bytes("f.csv", data)
		g, err := scaleSimReader{}.Read(src, format.Options{Symbols: map[string]int{"B": 2}})
		if err != nil {
			formattest.CheckErrors(t, err)
			return
		}
		layers, err := readScaleSim(src, format.Options{Symbols: map[string]int{"B": 2}})
		require.NoError(t, err)
		require.Equal(t, len(layers), len(g.Ops))
		var macs int64
		for _, l := range layers {
			macs += l.MACs()
		}
		require.Equal(t, macs, g.MACs())
		require.Positive(t, macs)
	})
}

func ExampleRead() {
	text := "Layer, M, N, K,\nattention, 128, 64, 128,\nmlp, 128, 512, 2048,\n"
	g, format, err := format.Read(format.Bytes("block.csv", []byte(text)), format.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(format, g.Name, len(g.Ops), "operators,", g.MACs(), "MACs")
	// Output: scalesim block 2 operators, 135266304 MACs
}
