package format_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/causeway-sim/causeway/workloads/format"
	_ "github.com/causeway-sim/causeway/workloads/format/huggingface"
	_ "github.com/causeway-sim/causeway/workloads/format/onnx"
	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	_ "github.com/causeway-sim/causeway/workloads/format/table"
)

func TestSniff(t *testing.T) {
	m, err := proto.Marshal(&onnxpb.ModelProto{IrVersion: 8, OpsetImport: []*onnxpb.OperatorSetIdProto{{Version: 13}},
		Graph: &onnxpb.GraphProto{Name: "g", Input: []*onnxpb.ValueInfoProto{{Name: "x"}}}})
	require.NoError(t, err)
	for name, data := range map[string]string{
		"onnx":        string(m),
		"scalesim":    "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides,\n",
		"config.json": `{"model_type": "llama", "hidden_size": 4096}`,
	} {
		_, got, err := format.Sniff(format.Bytes("some.file", []byte(data)))
		require.NoError(t, err)
		require.Equal(t, name, got)
		_, got, err = format.Sniff(format.Bytes("wrong.onnx", []byte(data)))
		require.NoError(t, err)
		require.Equal(t, name, got)
	}
	for _, data := range []string{"", "hello", "a,b,c\n1,2,3\n", "\x00\x01\x02", "[1, 2]"} {
		_, _, err := format.Sniff(format.Bytes("x.csv", []byte(data)))
		require.ErrorContains(t, err, "x.csv: ")
		require.ErrorContains(t, err, "(want one of: "+strings.Join(format.All.Names(), ", ")+")")
	}
	_, _, err = format.Read(format.Bytes("x.csv", []byte("\xff\xfeL\x00")), format.Options{})
	require.EqualError(t, err, "x.csv:1:1: the file is UTF-16; save it as UTF-8")
	_, _, err = format.Open("no/such.file", format.Options{})
	require.EqualError(t, err, "no/such.file: cannot open: no such file or directory")
	_, _, err = format.Open(t.TempDir(), format.Options{})
	require.ErrorContains(t, err, "it is a directory")
}
