package design

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs/schema"
)

// An Amount is an amount of data in bytes or bits (64KiB, 16bit), or in words of the
// level it is of (512word).
type Amount struct{ bits, words float64 }

// Words is an amount of words.
func Words(n float64) Amount { return Amount{words: n} }

// Bits is an amount of bits.
func Bits(n float64) Amount { return Amount{bits: n} }

// IsZero reports whether nothing is given.
func (a Amount) IsZero() bool { return a == Amount{} }

// InWords is the amount in words of so many bits.
func (a Amount) InWords(bits int) float64 { return a.words + a.bits/float64(bits) }

// InBits is the amount in bits, of words of so many.
func (a Amount) InBits(bits int) float64 { return a.bits + a.words*float64(bits) }

// UnmarshalText implements encoding.TextUnmarshaler.
func (a *Amount) UnmarshalText(text []byte) error {
	s := string(text)
	n, unit, ok := number(s)
	switch {
	case ok && (unit == "word" || unit == "words"):
		*a = Amount{words: n}
	case ok && unit == "bit":
		*a = Amount{bits: n}
	default:
		b, err := units.ParseBytes(s)
		if err != nil {
			return fmt.Errorf("%w, or word, bit", err)
		}
		*a = Amount{bits: 8 * float64(b)}
	}
	if a.IsZero() {
		return fmt.Errorf("is nothing (leave it out where it is unlimited)")
	}
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (a Amount) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// String prints the amount so that it reads back.
func (a Amount) String() string {
	switch {
	case a.words != 0:
		return plain(a.words) + "word"
	case a.bits >= 64 && math.Mod(a.bits, 8) == 0:
		return units.Bytes(a.bits / 8).String()
	case a.bits != 0:
		return plain(a.bits) + "bit"
	}
	return ""
}

// A Rate is an amount per cycle (4word/cycle, 32B/cycle), or a data rate (25.6GB/s).
type Rate struct {
	Amount
	perSecond units.Bandwidth
}

// IsZero reports whether nothing is given.
func (r Rate) IsZero() bool { return r == Rate{} }

// InWords is the rate in words of so many bits per cycle of a clock in Hz.
func (r Rate) InWords(bits int, hertz float64) float64 {
	return r.Amount.InWords(bits) + float64(r.perSecond)/hertz/float64(bits)
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (r *Rate) UnmarshalText(text []byte) error {
	if s, ok := strings.CutSuffix(string(text), "/cycle"); ok {
		*r = Rate{}
		return r.Amount.UnmarshalText([]byte(s))
	}
	b, err := units.ParseBandwidth(string(text))
	if err != nil {
		return fmt.Errorf("%w, or an amount per cycle such as 4word/cycle", err)
	}
	if b == 0 {
		return fmt.Errorf("is nothing (leave it out where it is unlimited)")
	}
	*r = Rate{perSecond: b}
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (r Rate) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// String prints the rate so that it reads back.
func (r Rate) String() string {
	switch {
	case r.perSecond != 0:
		return r.perSecond.String()
	case r.Amount.IsZero():
		return ""
	}
	return r.Amount.String() + "/cycle"
}

// An Area is in um^2 (1200um2, 0.4mm2).
type Area float64

// UnmarshalText implements encoding.TextUnmarshaler.
func (a *Area) UnmarshalText(text []byte) error {
	n, unit, ok := number(string(text))
	switch {
	case ok && unit == "um2":
		*a = Area(n)
	case ok && unit == "mm2":
		*a = Area(n * 1e6)
	default:
		return fmt.Errorf("%q is not an area (units: um2, mm2)", text)
	}
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (a Area) MarshalText() ([]byte, error) { return []byte(plain(float64(a)) + "um2"), nil }

// A Length is in mm (0.2mm, 150um).
type Length float64

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *Length) UnmarshalText(text []byte) error {
	n, unit, ok := number(string(text))
	switch {
	case ok && unit == "mm":
		*l = Length(n)
	case ok && unit == "um":
		*l = Length(n / 1e3)
	default:
		return fmt.Errorf("%q is not a length (units: um, mm)", text)
	}
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (l Length) MarshalText() ([]byte, error) { return []byte(plain(float64(l)) + "mm"), nil }

// number cuts a number off what follows it.
func number(s string) (n float64, unit string, ok bool) {
	i := strings.IndexFunc(s, func(c rune) bool { return (c < '0' || c > '9') && c != '.' })
	if i <= 0 || i > 40 {
		return 0, "", false
	}
	n, err := strconv.ParseFloat(s[:i], 64)
	return n, strings.TrimLeft(s[i:], " "), err == nil && n < 1e15
}

func plain(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func init() {
	text := func(title, example string) schema.Schema {
		return schema.Schema{"type": "string", "title": title, "examples": []any{example}}
	}
	schema.Register[Amount](text("an amount of data, in bytes, bits or words", "64KiB"))
	schema.Register[Rate](text("an amount per cycle, or a data rate", "4word/cycle"))
	schema.Register[Length](text("a length", "0.2mm"))
	schema.Register[Area](text("an area", "0.4mm2"))
}
