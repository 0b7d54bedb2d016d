package peertiming

import (
	"github.com/causeway-sim/causeway/accelerators/peers/nvdla"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// An NVDLASpec is what the performance sheet of NVDLA asks for besides multipliers (rows x
// cols) and clock.
type NVDLASpec struct {
	DRAM        units.Bandwidth `yaml:"dram" jsonschema:"description=Bandwidth of the primary memory; reads and writes together"`
	SRAM        units.Bytes     `yaml:"sram" jsonschema:"description=Second memory that keeps activations between layers; 0 is none"`
	SRAMRead    units.Bandwidth `yaml:"sram_read" jsonschema:"description=Read bandwidth of the second memory"`
	SRAMWrite   units.Bandwidth `yaml:"sram_write" jsonschema:"description=Write bandwidth of the second memory"`
	FCBatch     int             `yaml:"fc_batch" jsonschema:"minimum=1,maximum=65536,description=Images that share the weights of a fully connected layer"`
	Buffer      units.Bytes     `yaml:"buffer" jsonschema:"description=Convolution buffer; of effect with refetch"`
	Refetch     bool            `yaml:"refetch" jsonschema:"description=Without a second memory: fetch again what the convolution buffer has no room for (sheet of ResNet-50) instead of everything once (sheet of AlexNet)"`
	Kernels     int             `yaml:"kernels" jsonschema:"minimum=1,maximum=65536,description=Kernels that the multipliers take at a time; the sheet of ResNet-50 says 128"`
	Winograd    bool            `yaml:"winograd" jsonschema:"description=Windows of 3 x 3 take 4 multiplications for 9"`
	Compression float64         `yaml:"compression" jsonschema:"minimum=0,maximum=1,description=Share of the weights that compression saves"`
}

// DefaultNVDLA is the configuration of the sheet, with its second memory: 10 GB/s of DRAM,
// 25 GB/s of the second memory in either direction.
func DefaultNVDLA() NVDLASpec {
	return NVDLASpec{DRAM: 80e9, SRAM: 4 << 20, SRAMRead: 200e9, SRAMWrite: 200e9, FCBatch: 16, Buffer: 512 << 10, Kernels: 16, Winograd: true}
}

// Machine is the machine of the sheet.
func (n *NVDLASpec) Machine(c Core) nvdla.Config {
	return nvdla.Config{
		Multipliers: float64(c.Rows * c.Cols), MHz: float64(c.Clock.Den()) / float64(c.Clock.Num()) / 1e6,
		DRAM: float64(n.DRAM) / 8e9, SRAMRead: float64(n.SRAMRead) / 8e9, SRAMWrite: float64(n.SRAMWrite) / 8e9,
		SRAM: float64(n.SRAM) / 1024, FullyConnectedSize: n.FCBatch, Compression: n.Compression,
		Kernels: n.Kernels, Buffer: float64(n.Buffer) / 1024, Refetch: n.Refetch, Winograd: n.Winograd,
	}
}

// Check reports values that no such machine can have; at is the key of the section.
func (n *NVDLASpec) Check(at configs.Value) error {
	var errs configs.Errors
	wrong := func(key, format string, args ...any) { errs.Add(at.Place(key).Errorf(nil, format, args...)) }
	for _, x := range []struct {
		key  string
		rate units.Bandwidth
		used bool
	}{{"dram", n.DRAM, true}, {"sram_read", n.SRAMRead, n.SRAM > 0}, {"sram_write", n.SRAMWrite, n.SRAM > 0}} {
		if x.used && x.rate <= 0 {
			wrong(x.key, "is no bandwidth (want more than 0)")
		}
	}
	if n.FCBatch < 1 || n.Kernels < 1 {
		wrong("fc_batch", "fc_batch %d, kernels %d (want at least 1)", n.FCBatch, n.Kernels)
	}
	if n.Compression < 0 || n.Compression >= 1 {
		wrong("compression", "is %g (want 0 to less than 1)", n.Compression)
	}
	if n.Refetch && n.SRAM > 0 {
		wrong("refetch", "has no effect with a second memory (want sram: 0B)")
	}
	return errs.Err()
}
