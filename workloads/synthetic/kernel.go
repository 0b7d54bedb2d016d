package synthetic

import (
	"errors"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// A Kernel is a loop of STREAM. With view memory (below write-allocate caches), for each line of
// the result the lines of the operands and of the result are read, and the line lag lines earlier
// is written back. With view core, operands are read and the result is written.
type Kernel struct {
	Kernel string      `yaml:"kernel" jsonschema:"enum=copy,enum=scale,enum=add,enum=triad" doc:"Loop: copy, scale (one operand), add, triad (two)"`
	Size   units.Bytes `yaml:"size" doc:"Bytes of each array, of each core"`
	View   string      `yaml:"view" jsonschema:"enum=memory,enum=core" doc:"Who sees the accesses: memory below caches that allocate on writes, or the core, which reads the operands and writes the result"`
	Lag    uint64      `yaml:"lag" doc:"Lines that the caches hold back before they are written"`
	Cores  int         `yaml:"cores" jsonschema:"minimum=1" doc:"Number of cores, each with its part of the arrays"`
}

// Kernels are the values of Kernel.Kernel.
var Kernels = []string{"copy", "scale", "add", "triad"}

// DefaultKernel copies 1 MiB per array.
func DefaultKernel() Kernel {
	return Kernel{Kernel: "copy", Size: 1 << 20, View: "memory", Lag: 512, Cores: 1}
}

func init() {
	Layers.Add(registry.Entry[func(any) Layer]{
		Name:   "stream_kernel",
		Doc:    "Loops of STREAM, as memory sees them behind caches that allocate on writes, or as the core does.",
		Source: "McCalpin, Memory bandwidth and machine balance in current high performance computers, 1995",
		Spec:   DefaultKernel(),
		New:    func(spec any) Layer { k := spec.(Kernel); return &k },
	})
}

// Check implements Layer.
func (k *Kernel) Check() error {
	var errs []error
	if !slices.Contains(Kernels, k.Kernel) {
		errs = append(errs, fmt.Errorf("kernel is %q (want one of: copy, scale, add, triad)", k.Kernel))
	}
	if k.View != "" && k.View != "memory" && k.View != "core" {
		errs = append(errs, fmt.Errorf("view is %q (want one of: memory, core)", k.View))
	}
	if k.Size < lineBytes || k.Size%lineBytes != 0 || k.Size > 1<<40 {
		errs = append(errs, fmt.Errorf("size is %s (want a multiple of 64B, at most 1TiB)", k.Size))
	}
	if k.Cores < 1 {
		errs = append(errs, fmt.Errorf("cores is %d (want 1 or more)", k.Cores))
	}
	return errors.Join(errs...)
}

func (k *Kernel) idle() (keys []string, why string) {
	if k.View == "core" {
		keys = append(keys, "lag")
	}
	return keys, "on view core (used by: memory)"
}

// On implements Layer.
func (k *Kernel) On() int { return k.Cores }

func (k *Kernel) operands() uint64 {
	if k.Kernel == "add" || k.Kernel == "triad" {
		return 2
	}
	return 1
}

// Tensors implements Layer: the operands, then the result.
func (k *Kernel) Tensors() []trace.Tensor {
	all := uint64(k.Size) * uint64(k.Cores)
	ts := []trace.Tensor{{Name: "a", Kind: graph.Activation, Bytes: all}}
	if k.operands() == 2 {
		ts = append(ts, trace.Tensor{Name: "b", Kind: graph.Activation, Bytes: all})
	}
	return lay(append(ts, trace.Tensor{Name: "c", Kind: graph.Output, Bytes: all}))
}

// At implements Layer. Per line: the operands, the result, and after lag lines a write; the
// remaining lines are written at the end.
func (k *Kernel) At(core int, i uint64) (Block, bool) {
	lines := uint64(k.Size) / lineBytes
	if k.View == "core" {
		n, step := i/(k.operands()+1), i%(k.operands()+1)
		return Block{Tensor: int(step), Offset: uint64(core)*uint64(k.Size) + n*lineBytes, Bytes: lineBytes, Write: step == k.operands(), Stream: uint8(step)}, n < lines
	}
	reads := k.operands() + 1
	lag := min(k.Lag, lines)
	var n, step uint64
	switch head := lag * reads; {
	case i < head:
		n, step = i/reads, i%reads
	case i < head+(lines-lag)*(reads+1):
		n, step = lag+(i-head)/(reads+1), (i-head)%(reads+1)
	default:
		n, step = i-head-(lines-lag)*(reads+1)+lines, reads
		if n >= lines+lag {
			return Block{}, false
		}
	}
	b := Block{Tensor: int(step), Bytes: lineBytes}
	if step == reads { // write back
		b.Tensor, b.Write = int(reads)-1, true
		n -= lag
	}
	b.Stream = uint8(step)
	b.Offset = uint64(core)*uint64(k.Size) + n*lineBytes
	return b, true
}
