// Package fpga counts the FPGA resources of an engine of multiplier lanes: DSP slices, block and
// ultra RAM, memory channels. It is arithmetic without state.
//
//	use, err := fpga.Devices["u280"].Use(fpga.Engine{Multipliers: 1024, Bits: 8, Buffer: 1 << 20, Bandwidth: 57.5e9})
//
// Left out: look-up tables, flip-flops, routing, and the clock frequency that these allow.
//
// Sources: AMD DS963, Alveo U280 (devices); UG579, DSP48E2, and Fu et al., Deep Learning
// with INT8 Optimization on Xilinx Devices, WP486 (two products of 8 bits that share an
// operand in one slice); UG573, block RAM of 36 Kbit.
package fpga

import (
	"fmt"
	"math"
)

// A Device is an FPGA: its resources and memory channels.
type Device struct {
	Name     string
	DSP      int
	BRAM     int     // blocks of 36 Kbit
	URAM     int     // blocks of 288 Kbit
	Channels int     // of its memory
	Channel  float64 // B/s of one
}

// Devices holds the known devices by name.
var Devices = map[string]Device{
	// DS963 table 1; HBM2 of 32 pseudo channels, 460 GB/s
	"u280": {Name: "u280", DSP: 9024, BRAM: 2016, URAM: 960, Channels: 32, Channel: 14.375e9},
}

// Names lists the keys of Devices.
func Names() []string { return []string{"u280"} }

// An Engine is the demand of an accelerator.
type Engine struct {
	Multipliers int     // products per cycle
	Bits        int     // of an operand
	Buffer      uint64  // bytes on chip
	Bandwidth   float64 // B/s of the memory
}

// A Use counts resources in the units of Device.
type Use struct{ DSP, BRAM, URAM, Channels int }

// Use returns the resources that an engine takes. A slice makes two products of up to 8 bits, or
// one of more. A buffer takes block RAM first, then ultra RAM. The error names the first resource
// that the device has too little of.
func (d Device) Use(e Engine) (Use, error) {
	per := 1
	if e.Bits <= 8 {
		per = 2
	}
	u := Use{DSP: (e.Multipliers + per - 1) / per, Channels: int(math.Ceil(e.Bandwidth/d.Channel - 1e-9))}
	const block, ultra = 36 << 10 / 8, 288 << 10 / 8
	u.BRAM = int((e.Buffer + block - 1) / block)
	if u.BRAM > d.BRAM {
		rest := e.Buffer - uint64(d.BRAM)*block
		u.BRAM, u.URAM = d.BRAM, int((rest+ultra-1)/ultra)
	}
	for _, r := range []struct {
		what    string
		n, most int
	}{{"DSP slices", u.DSP, d.DSP}, {"blocks of ultra RAM besides all block RAM", u.URAM, d.URAM}, {"channels of memory", u.Channels, d.Channels}} {
		if r.n > r.most {
			return u, fmt.Errorf("takes %d %s of the %d of %s", r.n, r.what, r.most, d.Name)
		}
	}
	return u, nil
}
