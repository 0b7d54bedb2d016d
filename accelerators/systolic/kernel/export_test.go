package kernel

// What tests look at: the parts of an operator's cycles, in the order busy, memory, shift, wait and
// launch, and those of its array: active, stall and shift.

func (r row) Name() string      { return r.name }
func (r row) Start() uint64     { return r.start }
func (r row) End() uint64       { return r.end }
func (r row) Parts() []uint64   { return r.parts[:] }
func (r row) Queue() []uint64   { return r.queue[:] }
func (k *Core) Parts() []uint64 { return k.sum.parts[:] }
func (k *Core) Queue() []uint64 { return k.sum.queue[:] }
func (k *Core) MACs() uint64    { return k.sum.macs }
func (k *Core) Latency() uint64 { return k.latency }
