package format

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestONNXInputs(t *testing.T) {
	for _, name := range []string{"light_bvlc_alexnet", "light_resnet50", "light_inception_v1", "light_shufflenet",
		"shape_inferred/alexnet", "shape_inferred/attention_head", "shape_inferred/fsrcnn", "shape_inferred/mobilenetv2",
		"shape_inferred/resnet18", "shape_inferred/swiglu_256_4096_14336"} {
		t.Run(name, func(t *testing.T) {
			g, _, err := Open(inputs(t, "onnx/"+name+".onnx"), Options{})
			require.NoError(t, err)
			fmt.Println(name, len(g.Ops), g.MACs(), g.Params())
		})
	}
}
