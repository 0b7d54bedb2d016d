package energy

import (
	"fmt"
	"strings"
)

// Types lists the types of operands with figures: those of workloads, and int16.
func Types() []string {
	return []string{"int4", "int8", "int16", "int32", "fp8", "fp16", "bf16", "fp32"}
}

// An Arithmetic is the energy of operations on one type, in picojoules.
type Arithmetic struct{ Add, Multiply, MAC float64 }

// ArithmeticOf is that of a type in a process. A multiply-accumulate adds in 32 bits.
func ArithmeticOf(name, dtype string) (Arithmetic, error) {
	p, err := find(name)
	if err != nil {
		return Arithmetic{}, err
	}
	o, ok := p.ops[dtype]
	if !ok {
		return Arithmetic{}, fmt.Errorf("dtype: unknown %q (want one of: %s)", dtype, strings.Join(Types(), ", "))
	}
	return Arithmetic{o.add, o.multiply, o.mac}, nil
}

// Vector is the energy of one operation of a vector unit, in picojoules.
func Vector(name string) (float64, error) {
	p, err := find(name)
	if err != nil {
		return 0, err
	}
	return p.vector, nil
}

// Wire is the energy of moving one bit over one millimetre of a chip, in picojoules. A
// process for which nothing is published is an error that lists those that have a figure.
func Wire(name string) (float64, error) {
	p, err := find(name)
	if err == nil && p.wire == 0 {
		var have []string
		for i := range processes {
			if processes[i].wire > 0 {
				have = append(have, processes[i].name)
			}
		}
		err = fmt.Errorf("process: nothing is published of wires at %s (want one of: %s)", name, strings.Join(have, ", "))
	}
	if err != nil {
		return 0, err
	}
	return p.wire, nil
}
