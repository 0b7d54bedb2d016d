package dma

// A Tile is the size of a memory tile: Batch products of M x K by K x N.
type Tile struct {
	Batch int64 `yaml:"batch,omitempty" sets:"choice" try:"1 2 4 16"`
	M     int64 `yaml:"m,omitempty" sets:"choice" try:"1 8 32 64 128 256 512 3136 12544"`
	N     int64 `yaml:"n,omitempty" sets:"choice" try:"16 32 64 128 256 384 512 768 1024 2048 4096 8192"`
	K     int64 `yaml:"k,omitempty" sets:"choice" try:"64 128 256 384 512 576 768 1024 1152 2048 2304 4096 8192"`
}

// Accesses counts what the array or the vector unit reads from and writes to
// the buffers, in elements. What the DMA moves is counted in Traffic.
type Accesses struct {
	IfmapReads, FilterReads int64
	OfmapReads, OfmapWrites int64 // partial sums that are added to count as both
}

// Traffic is the bytes that move between memory and the buffers.
type Traffic struct {
	Ifmap  int64 // inputs read
	Filter int64 // second operands read: weights, keys, values
	Psum   int64 // biases and spilled partial sums read
	Spill  int64 // partial sums written to scratch
	Output int64 // results written
}

// Total is the sum of all parts.
func (t Traffic) Total() int64 { return t.Ifmap + t.Filter + t.Psum + t.Spill + t.Output }
