package energy

import (
	"math"

	"github.com/causeway-sim/causeway/components/units"
)

// sramAt are the capacities of the points of process.sram.
var sramAt = [4]float64{128, 8 << 10, 32 << 10, 1 << 20}

// sram64 is the energy of 64 bits of a memory of the given capacity: straight lines between
// the points, logarithm over logarithm, below the first as from the first to the second.
// Above the last it goes with the square root of the capacity.
func (p *process) sram64(capacity units.Bytes) float64 {
	c := float64(max(1, capacity))
	if last := len(sramAt) - 1; c >= sramAt[last] {
		return p.sram[last] * math.Sqrt(c/sramAt[last])
	}
	i := 0
	for c > sramAt[i+1] {
		i++
	}
	return geometric(p.sram[i], p.sram[i+1], math.Log(c/sramAt[i])/math.Log(sramAt[i+1]/sramAt[i]))
}

// sramByte is the energy of one byte of it.
func (p *process) sramByte(capacity units.Bytes) float64 { return p.sram64(capacity) / 8 }

// SRAMByte is the energy of reading or writing one byte of an SRAM array of that
// capacity, in picojoules.
func SRAMByte(name string, capacity units.Bytes) (float64, error) {
	p, err := find(name)
	if err != nil {
		return 0, err
	}
	return p.sramByte(capacity), nil
}

// SRAMAccess returns the energy of an access of that many bits, in picojoules.
func SRAMAccess(name string, capacity units.Bytes, bits int) (float64, error) {
	pj, err := SRAMByte(name, capacity)
	return pj * float64(bits) / 8, err
}
