package dataflow

// PartList names the parts of compute cycles in tables and metrics.
var PartList = []struct {
	Name, Text string
	Of         func(*Parts) float64
}{
	{"useful_cycles", "Cycles of compute that are multiply-accumulates: all of them over the processing elements.", func(p *Parts) float64 { return p.Useful }},
	{"mapping_loss_cycles", "Cycles of compute lost to rows and columns of the array without operands, or to the whole array while the vector unit worked alone.", func(p *Parts) float64 { return p.Mapping }},
	{"fill_cycles", "Cycles of compute until operands stream: tiles are loaded, and the wavefront arrives.", func(p *Parts) float64 { return p.Fill }},
	{"drain_cycles", "Cycles of compute after the last operand, until the wavefront has passed and results have left.", func(p *Parts) float64 { return p.Drain }},
}
