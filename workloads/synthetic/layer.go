package synthetic

import (
	"fmt"
	"io"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// lineBytes is the size of a line, and pcMain the PC of the first stream.
const (
	lineBytes = 64
	pcMain    = 0x400000
)

// A Layer is the memory requests of one layer of a network on several cores. Each core accesses a
// sequence of blocks.
type Layer interface {
	// Check returns an error for parameters that contradict each other.
	Check() error
	// Tensors returns the tensors with their addresses, from 0.
	Tensors() []trace.Tensor
	// At returns block i of a core; false after the last.
	At(core int, i uint64) (Block, bool)
	// On returns the number of cores.
	On() int
}

// Endless is implemented by Layers that may have no last block.
type Endless interface{ Endless() bool }

// Periodic is implemented by endless Layers that repeat after Period accesses.
type Periodic interface{ Period() uint64 }

// A Block is a range of bytes of one tensor that is read or written at once.
type Block struct {
	Tensor int // index into Tensors
	Offset uint64
	Bytes  uint64
	Write  bool
	Stream uint8 // operand of the layer, by DMA stream of the core
}

// Layers holds the kinds of layers by name.
var Layers = registry.New[func(spec any) Layer]("generated layer")

// NewReader returns a reader of the requests of one core of a layer, of at most burst bytes each.
// PC is the number of the operand.
func NewReader(l Layer, core int, burst uint64) (trace.Reader, error) {
	if err := l.Check(); err != nil {
		return nil, err
	}
	if core < 0 || core >= l.On() {
		return nil, fmt.Errorf("there is no core %d: the layer is on %d (key cores), numbered from 0; a node plays the core of its own index, Name[3] core 3", core, l.On())
	}
	if burst < 1 || burst > 1<<24 {
		return nil, fmt.Errorf("burst of %d B (want 1B to 16MiB)", burst)
	}
	r := &layerReader{layer: l, core: core, burst: burst, header: trace.Header{
		Fields: trace.Writes | trace.Sizes | trace.PCs | trace.Cores | trace.Tensors, Tensors: l.Tensors(),
	}}
	return r, nil
}

// layerReader cuts the blocks of a core into bursts.
type layerReader struct {
	layer  Layer
	core   int
	burst  uint64
	header trace.Header
	block  Block
	moved  uint64 // bytes of the block
	next   uint64 // number of the next block
	done   uint64 // records
}

func (r *layerReader) Header() *trace.Header { return &r.header }
func (r *layerReader) Pos() trace.Pos        { return trace.Pos{Offset: int64(r.done)} }

func (r *layerReader) Next(rec *trace.Record) error {
	for r.moved == r.block.Bytes {
		b, ok := r.layer.At(r.core, r.next)
		if !ok {
			return io.EOF
		}
		r.block, r.moved = b, 0
		r.next++
	}
	addr := r.header.Tensors[r.block.Tensor].Base + r.block.Offset + r.moved
	n := min(r.block.Bytes-r.moved, r.burst-addr%r.burst)
	*rec = trace.Record{
		Addr: addr, Size: uint32(n), Write: r.block.Write, Core: uint32(r.core),
		Tensor: uint32(r.block.Tensor) + 1, PC: pcMain + 16*uint64(r.block.Stream),
	}
	r.moved += n
	r.done++
	return nil
}

// alignment of tensors, a page.
const alignment = 4096

// lay places tensors one after the other.
func lay(ts []trace.Tensor) []trace.Tensor {
	at := uint64(0)
	for i := range ts {
		ts[i].Base = at
		at += (ts[i].Bytes + alignment - 1) / alignment * alignment
	}
	return ts
}
