package address

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A named map may depend on the geometry.
var named = map[string]func(g Geometry) string{
	"MOP4":      mop4,
	"MOP4CLXOR": mop4clxor,
}

// mop4 is minimalist open page with four bursts a turn; rank, bank group and
// bank are permuted by the bits of the column one after the other.
func mop4(g Geometry) string {
	low := min(2, g[Column])
	text, at := fmt.Sprintf("-Co:%d", low), 0
	for _, f := range []Field{Channel, Rank, BankGroup, Bank} {
		if g[f] == 0 {
			continue
		}
		if f == Channel {
			text = "-Ch" + text
			continue
		}
		text = fmt.Sprintf("-%s^Co[%d]", f, at) + text
		at += int(g[f])
	}
	return "Ro-Co" + text
}

// mop4clxor is MOP4 as Ramulator 2.1 has it: the row is permuted too, by the bits
// of the column after those that permute the bank. One row's bursts of a bank
// are spread over several rows that way.
func mop4clxor(g Geometry) string {
	used := g[Rank] + g[BankGroup] + g[Bank]
	return fmt.Sprintf("Ro^Co[%d]", used) + strings.TrimPrefix(mop4(g), "Ro")
}

// Parse makes the map of an expression or a name for a memory of geometry g. The error has the
// column in the expression, from 1.
func Parse(expression string, g Geometry) (*Map, error) {
	for _, b := range g {
		if b > 31 {
			return nil, fmt.Errorf("a field of %d bits (want at most 31)", b)
		}
	}
	text := expression
	if f, ok := named[text]; ok {
		text = f(g)
	}
	text, err := hashedText(text, g)
	if err != nil {
		return nil, err
	}
	terms, err := split(text, g)
	if err != nil {
		return nil, err
	}
	m := &Map{text: expression}
	var used Geometry // bits placed, from low to high
	for _, t := range slices.Backward(terms) {
		if t.bits > 0 {
			m.pieces = append(m.pieces, piece{t.field, used[t.field], uint8(m.bits), 1<<t.bits - 1})
			used[t.field] += uint8(t.bits)
			m.bits += t.bits
		}
		m.permutations = append(m.permutations, t.permutations...)
	}
	for f, b := range g {
		if used[f] != b {
			return nil, fmt.Errorf("%q places %d of the %d bits of %s", expression, used[f], b, Field(f))
		}
	}
	for _, t := range m.permutations {
		if slices.ContainsFunc(m.permutations, func(o permutation) bool { return o.field == t.by }) {
			return nil, fmt.Errorf("%q permutes %s by %s, which is permuted itself", expression, t.field, t.by)
		}
	}
	return m, nil
}

// A term is one piece of the expression; bits is settled.
type term struct {
	field        Field
	bits         int
	permutations []permutation
}

func split(text string, g Geometry) ([]term, error) {
	var terms []term
	var rest [Fields]int // index of the piece without a number, plus 1
	var fixed Geometry
	at := 1
	for part := range strings.SplitSeq(text, "-") {
		t, open, err := parseTerm(part, g)
		if err != nil {
			return nil, fmt.Errorf("column %d: %w", at, err)
		}
		terms = append(terms, t)
		switch {
		case open && rest[t.field] > 0:
			return nil, fmt.Errorf("column %d: two pieces of %s without a number of bits", at, t.field)
		case open:
			rest[t.field] = len(terms)
		default:
			if int(fixed[t.field])+t.bits > int(g[t.field]) {
				return nil, fmt.Errorf("column %d: %s has %d bits", at, t.field, g[t.field])
			}
			fixed[t.field] += uint8(t.bits)
		}
		at += len(part) + 1
	}
	for f, i := range rest {
		if i > 0 {
			terms[i-1].bits = int(g[f] - fixed[f])
		}
	}
	return terms, nil
}

// parseTerm reads Co, Co:2, Ba^Ro or Ba^Ro[2]^Co; open tells that the number of
// bits was left out.
func parseTerm(s string, g Geometry) (t term, open bool, err error) {
	head, by, permuted := strings.Cut(s, "^")
	name, bits, sized := strings.Cut(head, ":")
	if t.field, err = field(name); err != nil {
		return t, false, err
	}
	if sized {
		if t.bits, err = number(bits); err != nil {
			return t, false, err
		}
	}
	if !permuted {
		return t, !sized, nil
	}
	for one := range strings.SplitSeq(by, "^") {
		name, low, indexed := strings.Cut(one, "[")
		f, err := field(name)
		if err != nil {
			return t, false, err
		}
		w := permutation{field: t.field, by: f, mask: 1<<g[t.field] - 1}
		if indexed {
			digits, ok := strings.CutSuffix(low, "]")
			digits, up := strings.CutPrefix(digits, "+")
			n, err := number(digits)
			if err != nil || !ok {
				return t, false, fmt.Errorf("%q is no bit of a field (want for example Ro[2])", one)
			}
			if w.low = uint8(n); up {
				w.low, w.up = 0, uint8(n)
			}
		}
		if f == t.field {
			return t, false, fmt.Errorf("%s is permuted by itself", f)
		}
		t.permutations = append(t.permutations, w)
	}
	return t, !sized, nil
}

func field(s string) (Field, error) {
	for f, n := range names {
		if n == s {
			return Field(f), nil
		}
	}
	return 0, fmt.Errorf("unknown field %q (want one of: %s)", s, strings.Join(names[:], ", "))
}

func number(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 31 || s[0] == '+' || s[0] == '-' {
		return 0, fmt.Errorf("%q is no number of bits (want 0 to 31)", s)
	}
	return n, nil
}
