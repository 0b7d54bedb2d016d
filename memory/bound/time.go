package bound

// A Machine is the cache's size and the rates of cores, cache and memory.
type Machine struct {
	Capacity float64 // of the cache
	Compute  float64 // bytes that all cores consume per second
	Cache    float64 // bytes that the cache delivers per second
	Memory   float64 // bytes that memory delivers per second
	Latency  float64 // of an access that misses
}

// Times are the model's times of a layer, in seconds.
type Times struct {
	Compute, Cache, Memory float64 // of each part alone
	Overlap                float64 // if all overlap: a lower bound
	Phased                 float64 // what is expected
	Serial                 float64 // if nothing overlaps
}

// Times returns the times of traffic.
func (m Machine) Times(t Traffic) Times {
	x := Times{Compute: t.Cache / m.Compute, Cache: t.Cache / m.Cache, Memory: t.Memory / m.Memory}
	x.Overlap = max(x.Compute, x.Cache, x.Memory) + m.Latency
	x.Serial = x.Compute + x.Cache + x.Memory + m.Latency
	rest := 1 - t.Protected/t.Cache
	x.Phased = max(x.Compute, x.Cache)*(1-rest) + max(x.Compute*rest, x.Cache*rest, x.Memory) + m.Latency
	return x
}
