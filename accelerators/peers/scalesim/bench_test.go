package scalesim

import "testing"

// Networks on 32x32 with the 64 kB SRAMs of the reference runs.
func benchmarkNetwork(b *testing.B, file string, run func(Array, Layer) error) {
	layers := topology(b, file)
	for _, df := range []Dataflow{OS, WS, IS} {
		b.Run(string(df), func(b *testing.B) {
			a := Array{Rows: 32, Cols: 32, Dataflow: df, IfmapSRAM: 65536, FilterSRAM: 65536, OfmapSRAM: 65536}
			b.ReportAllocs()
			for b.Loop() {
				for _, l := range layers {
					if err := run(a, l); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(layers)), "ns/layer")
		})
	}
}

func compute(a Array, l Layer) error { _, err := a.Compute(l); return err }
func dram(a Array, l Layer) error    { _, err := a.DRAM(l); return err }

func BenchmarkComputeResNet50(b *testing.B) { benchmarkNetwork(b, "mlperf/Resnet50.csv", compute) }
func BenchmarkDRAMResNet50(b *testing.B)    { benchmarkNetwork(b, "mlperf/Resnet50.csv", dram) }
func BenchmarkDRAMGPT2(b *testing.B)        { benchmarkNetwork(b, "GEMM_mnk/gpt2.csv", dram) }
func BenchmarkDRAMYOLO(b *testing.B)        { benchmarkNetwork(b, "conv_nets/yolo.csv", dram) }
