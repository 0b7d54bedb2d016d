package tracetest

// Reference returns the traces of the reference figures of the caches.
func Reference() []Trace {
	named := func(name string, t Trace) Trace { t.Name = name; return t }
	return []Trace{
		named("cyc12288x20", Cyclic(12288, 20)),
		named("cyc16384x20", Cyclic(16384, 20)),
		named("cyc20480x20", Cyclic(20480, 20)),
		named("cyc32768x20", Cyclic(32768, 20)),
		named("cyc65536x20", Cyclic(65536, 20)),
		named("scanreuse", ScanReuse(8192, 65536, 10)),
		named("uniform32768", Uniform(15, 1_000_000)),
		named("zipf1.0_131072", Zipf(17, 1.0, 2_000_000)),
		named("zipf0.8_131072", Zipf(17, 0.8, 2_000_000)),
		named("mixed3", Mixed(3_000_000)),
		named("fa_mha4", FlashAttention(Attention{Cores: 4, Lines: 8192, Blocks: 16})),
		named("fa_gqa4", FlashAttention(Attention{Cores: 4, Lines: 24576, Blocks: 16, Shared: true, Skew: 64})),
	}
}
