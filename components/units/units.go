// Package units parses and prints quantities: 64KiB, 2GHz, 80ns, 51.2GB/s.
//
// A quantity is a decimal number and a unit, with or without a blank between them (51.2 GB/s).
// Parsing is exact: a number without a unit, an unknown unit, and a value that is not a multiple
// of the finest unit (1 B, 1 fs, 1 bit/s) are errors. Every type prints canonically: parsing the
// result of String gives the same value. All types implement encoding.TextUnmarshaler and
// encoding.TextMarshaler, by which configurations are decoded. Left out: arithmetic that checks
// units (components/formula).
//
// Binary prefixes (KiB) are powers of 1024, decimal ones (KB, GB/s) powers of 1000.
package units

import (
	"fmt"
	"math"
	"math/big"
	"sort"
	"strings"

	"github.com/causeway-sim/causeway/components/clock"
)

// Bytes is an amount of data.
type Bytes uint64

// A Time is a duration in femtoseconds.
type Time uint64

// Femtoseconds in other units.
const (
	Picosecond  Time = 1e3
	Nanosecond  Time = 1e6
	Microsecond Time = 1e9
	Millisecond Time = 1e12
	Second      Time = 1e15
)

// A Bandwidth is a data rate in bit/s.
type Bandwidth uint64

// A FLOPS is a rate of floating-point operations per second; a
// multiply-accumulate counts as two.
type FLOPS float64

// An Energy is in joules.
type Energy float64

// A Power is in watts.
type Power float64

// A Frequency is a clock, written as a frequency (940MHz) or a period (416ps).
type Frequency struct{ clock.Clock }

// Hertz converts a frequency in hertz, such as a sim.Freq of Akita, to the nearest whole number.
// It panics below 1 Hz, which is a bug of the code that builds a component.
func Hertz(f float64) Frequency {
	hz := math.Round(f)
	if !(hz >= 1 && hz < 1<<63) {
		panic(fmt.Sprintf("units: frequency %g Hz", f))
	}
	return Frequency{clock.Hz(uint64(hz))}
}

// A Latency is a duration written in cycles of the clock it applies to
// (10cycle), or in time (80ns).
type Latency struct {
	cycles  uint64
	time    Time
	inCycle bool
}

// InCycles returns a latency of n cycles.
func InCycles(n uint64) Latency { return Latency{cycles: n, inCycle: true} }

// InTime returns a latency of t.
func InTime(t Time) Latency { return Latency{time: t} }

// In is the latency in cycles of c, rounded up.
func (l Latency) In(c clock.Clock) uint64 {
	if l.inCycle {
		return l.cycles
	}
	return c.Cycles(uint64(l.time), uint64(Second))
}

// IsZero reports whether the latency is nothing.
func (l Latency) IsZero() bool { return l.cycles == 0 && l.time == 0 }

type scale struct {
	unit string
	num  int64 // value of the unit in the finest one: num/den
	den  int64
}

var (
	byteUnits = []scale{{"TiB", 1 << 40, 1}, {"GiB", 1 << 30, 1}, {"MiB", 1 << 20, 1}, {"KiB", 1 << 10, 1},
		{"TB", 1e12, 1}, {"GB", 1e9, 1}, {"MB", 1e6, 1}, {"KB", 1e3, 1}, {"B", 1, 1}}
	timeUnits = []scale{{"ps", 1e3, 1}, {"ns", 1e6, 1}, {"us", 1e9, 1}, {"ms", 1e12, 1}, {"s", 1e15, 1}}
	rateUnits = []scale{{"TB/s", 8e12, 1}, {"GB/s", 8e9, 1}, {"MB/s", 8e6, 1}, {"KB/s", 8e3, 1}, {"B/s", 8, 1},
		{"Tbit/s", 1e12, 1}, {"Gbit/s", 1e9, 1}, {"Mbit/s", 1e6, 1}, {"Kbit/s", 1e3, 1}, {"bit/s", 1, 1}}
	hertzUnits = []scale{{"GHz", 1e9, 1}, {"MHz", 1e6, 1}, {"KHz", 1e3, 1}, {"kHz", 1e3, 1}, {"Hz", 1, 1}}
	cycleUnits = []scale{{"cycle", 1, 1}}
	flopUnits  = []scale{{"PFLOP/s", 1e15, 1}, {"TFLOP/s", 1e12, 1}, {"GFLOP/s", 1e9, 1}, {"MFLOP/s", 1e6, 1}, {"FLOP/s", 1, 1}}
	jouleUnits = []scale{{"fJ", 1, 1e15}, {"pJ", 1, 1e12}, {"nJ", 1, 1e9}, {"uJ", 1, 1e6}, {"mJ", 1, 1e3}, {"J", 1, 1}}
	wattUnits  = []scale{{"uW", 1, 1e6}, {"mW", 1, 1e3}, {"kW", 1e3, 1}, {"W", 1, 1}}
)

// split cuts "51.2GB/s" into its number and its unit's scale.
func split(s string, units ...[]scale) (*big.Rat, scale, error) {
	i := 0
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '.') {
		i++
	}
	num, unit := s[:i], strings.TrimLeft(s[i:], " ")
	var names []string
	for _, set := range units {
		for _, u := range set {
			if u.unit == unit && num != "" {
				v, ok := new(big.Rat).SetString(num)
				if !ok || len(num) > 40 || strings.HasPrefix(num, ".") || strings.HasSuffix(num, ".") {
					return nil, scale{}, fmt.Errorf("%q is not a number with a unit", s)
				}
				return v.Mul(v, big.NewRat(u.num, u.den)), u, nil
			}
			names = append(names, u.unit)
		}
	}
	want := " (units: " + strings.Join(names, ", ")
	if num != "" {
		want += meant(unit, names)
	}
	want += ")"
	switch {
	case strings.HasPrefix(s, "-"):
		return nil, scale{}, fmt.Errorf("%q is negative", s)
	case num == "":
		return nil, scale{}, fmt.Errorf("%q is not a number with a unit%s", s, want)
	case unit == "":
		return nil, scale{}, fmt.Errorf("%q lacks a unit%s", s, want)
	}
	return nil, scale{}, fmt.Errorf("%q has unknown unit %q%s", s, unit, want)
}

func whole(s string, v *big.Rat, finest string) (uint64, error) {
	if !v.IsInt() {
		return 0, fmt.Errorf("%q is no whole number of %s", s, finest)
	}
	if !v.Num().IsUint64() {
		return 0, fmt.Errorf("%q is too large", s)
	}
	return v.Num().Uint64(), nil
}

func parseWhole(s, finest string, units []scale) (uint64, error) {
	v, _, err := split(s, units)
	if err != nil {
		return 0, err
	}
	return whole(s, v, finest)
}

// The largest quantities: far beyond real hardware, and small enough that sums do not overflow. A
// larger value is an error. Amounts of data may use all 64 bits, because addresses do.
const (
	maxBandwidth = 8_000_000_000_000_000_000 // bit/s: 1,000,000 TB/s, as good as no limit; int64 holds it
	maxCycles    = 1 << 48
	maxFLOPS     = 1e24
	maxEnergy    = 1e3 // J
	maxPower     = 1e9 // W
)

// within refuses a quantity above the largest.
func within[T ~uint64 | ~float64](s string, v, most T) error {
	if v > most {
		return fmt.Errorf("%q is too large (want at most %v)", s, most)
	}
	return nil
}

// ParseBytes parses an amount of data, for example 64KiB.
func ParseBytes(s string) (Bytes, error) {
	v, err := parseWhole(s, "B", byteUnits)
	return Bytes(v), err
}

// ParseTime parses a duration, for example 80ns.
func ParseTime(s string) (Time, error) {
	v, err := parseWhole(s, "fs", timeUnits)
	return Time(v), err
}

// ParseBandwidth parses a data rate, for example 51.2GB/s.
func ParseBandwidth(s string) (Bandwidth, error) {
	v, err := parseWhole(s, "bit/s", rateUnits)
	if err == nil {
		err = within(s, Bandwidth(v), maxBandwidth)
	}
	return Bandwidth(v), err
}

// ParseFrequency parses a clock, as a frequency or a period.
func ParseFrequency(s string) (Frequency, error) {
	v, u, err := split(s, hertzUnits, timeUnits)
	if err != nil {
		return Frequency{}, err
	}
	if v.Sign() == 0 {
		return Frequency{}, fmt.Errorf("%q is no clock (want 1Hz to 1000GHz)", s)
	}
	if strings.HasSuffix(u.unit, "Hz") {
		v.Inv(v)
	} else {
		v.Quo(v, big.NewRat(int64(Second), 1))
	}
	if !v.Num().IsUint64() || !v.Denom().IsUint64() {
		return Frequency{}, fmt.Errorf("%q is too fine", s)
	}
	// Instants of simulated time are counted in picoseconds.
	if v.Cmp(big.NewRat(1, int64(Second/Picosecond))) < 0 || v.Cmp(big.NewRat(1, 1)) > 0 {
		return Frequency{}, fmt.Errorf("%q is no clock that can be simulated (want 1Hz to 1000GHz)", s)
	}
	return Frequency{clock.Period(v.Num().Uint64(), v.Denom().Uint64())}, nil
}

// ParseLatency parses a latency, for example 10cycle or 80ns.
func ParseLatency(s string) (Latency, error) {
	v, u, err := split(s, cycleUnits, timeUnits)
	if err != nil {
		return Latency{}, err
	}
	if u.unit == "cycle" {
		n, err := whole(s, v, "cycles")
		if err == nil {
			err = within(s, n, maxCycles)
		}
		return InCycles(n), err
	}
	n, err := whole(s, v, "fs")
	return InTime(Time(n)), err
}

func parseFloat(s string, units []scale) (float64, error) {
	v, _, err := split(s, units)
	if err != nil {
		return 0, err
	}
	f, _ := v.Float64()
	return f, nil
}

// ParseFLOPS parses a compute rate, for example 90TFLOP/s.
func ParseFLOPS(s string) (FLOPS, error) {
	v, err := parseFloat(s, flopUnits)
	if err == nil {
		err = within(s, FLOPS(v), maxFLOPS)
	}
	return FLOPS(v), err
}

// ParseEnergy parses an energy, for example 0.2pJ.
func ParseEnergy(s string) (Energy, error) {
	v, err := parseFloat(s, jouleUnits)
	if err == nil {
		err = within(s, Energy(v), maxEnergy)
	}
	return Energy(v), err
}

// ParsePower parses a power, for example 1.5W.
func ParsePower(s string) (Power, error) {
	v, err := parseFloat(s, wattUnits)
	if err == nil {
		err = within(s, Power(v), maxPower)
	}
	return Power(v), err
}

// print writes v (in the finest unit) in the largest unit that keeps it a
// number of at most three decimals; the first listed wins a tie in size.
func print(v *big.Rat, units []scale) string {
	sorted := append([]scale(nil), units...)
	sort.SliceStable(sorted, func(i, j int) bool {
		return big.NewRat(sorted[i].num, sorted[i].den).Cmp(big.NewRat(sorted[j].num, sorted[j].den)) > 0
	})
	one, mille := big.NewRat(1, 1), big.NewRat(1000, 1)
	for _, u := range sorted {
		x := new(big.Rat).Quo(v, big.NewRat(u.num, u.den))
		if x.Cmp(one) >= 0 && new(big.Rat).Mul(x, mille).IsInt() {
			return decimal(x) + u.unit
		}
	}
	last := sorted[len(sorted)-1]
	return decimal(new(big.Rat).Quo(v, big.NewRat(last.num, last.den))) + last.unit
}

func decimal(x *big.Rat) string {
	s := x.FloatString(15)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

func ratOf(n uint64) *big.Rat { return new(big.Rat).SetInt(new(big.Int).SetUint64(n)) }

// String prints the amount in binary units where it is a whole number of KiB,
// else in bytes.
func (b Bytes) String() string {
	for _, u := range byteUnits[:4] {
		if n := uint64(u.num); b >= Bytes(n) && uint64(b)%n == 0 {
			return fmt.Sprintf("%d%s", uint64(b)/n, u.unit)
		}
	}
	return fmt.Sprintf("%dB", uint64(b))
}

func (t Time) String() string {
	if t == 0 {
		return "0s"
	}
	return print(ratOf(uint64(t)), timeUnits)
}

func (b Bandwidth) String() string {
	if b == 0 {
		return "0B/s"
	}
	if b%8 != 0 {
		return print(ratOf(uint64(b)), rateUnits[5:])
	}
	return print(ratOf(uint64(b)), rateUnits[:5])
}

func (f Frequency) String() string {
	if f.IsZero() {
		return ""
	}
	hz := new(big.Rat).SetFrac(new(big.Int).SetUint64(f.Den()), new(big.Int).SetUint64(f.Num()))
	if hz.IsInt() {
		return print(hz, []scale{{"GHz", 1e9, 1}, {"MHz", 1e6, 1}, {"KHz", 1e3, 1}, {"Hz", 1, 1}})
	}
	hz.Inv(hz)
	if fs := new(big.Rat).Mul(hz, big.NewRat(int64(Second), 1)); fs.IsInt() {
		return print(fs, timeUnits)
	}
	// neither prints exactly with three decimals: print hertz with fifteen
	return decimal(hz.Inv(hz)) + "Hz"
}

func (l Latency) String() string {
	if l.inCycle {
		return fmt.Sprintf("%dcycle", l.cycles)
	}
	return l.time.String()
}

func printFloat(v float64, units []scale) string {
	if v == 0 {
		return "0" + units[len(units)-1].unit
	}
	r, _ := new(big.Rat).SetString(fmt.Sprintf("%g", v))
	return print(r, units)
}

func (f FLOPS) String() string  { return printFloat(float64(f), flopUnits) }
func (e Energy) String() string { return printFloat(float64(e), jouleUnits) }
func (p Power) String() string  { return printFloat(float64(p), wattUnits) }
