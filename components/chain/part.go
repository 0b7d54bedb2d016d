package chain

import (
	"cmp"
	"math"
	"regexp"
	"slices"
)

// A Part is a portion of time with its place and reason. Parts sum to Time, or there are none.
type Part struct {
	Where, What string
	Begin, End  int64 // ps: of the first and the last of its intervals
	Time        int64 // ps: of all of them
	Count       int   // intervals
	Spread      bool  // its time lies anywhere between Begin and End
	Parts       []Part

	own   bool // a span's own time
	named bool // the interval of a span: what it does is in its parts
}

func whole(where, what string, from, to int64, parts []Part) Part {
	return Part{Where: where, What: what, Begin: from, End: to, Time: to - from, Count: 1, Parts: parts}
}

// divide gives a time to shares in proportion to their weights, to the picosecond: what is
// left after rounding down goes to those with the largest remainders.
func divide(where string, from, to, time int64, shares []Share) (out []Part) {
	times, ok := apportion(time, shares)
	if !ok {
		return nil
	}
	for i, n := range times {
		if n > 0 {
			out = append(out, Part{Where: where, What: shares[i].What, Begin: from, End: to, Time: n, Count: 1, Spread: true, Parts: divide(where, from, to, n, shares[i].Parts)})
		}
	}
	return out
}

// apportion divides a time in proportion to weights; ok is false without any.
func apportion(time int64, shares []Share) (out []int64, ok bool) {
	sum := 0.0
	for i := range shares {
		sum += shares[i].Weight
	}
	if sum <= 0 || time == 0 {
		return nil, false
	}
	type rest struct {
		at int
		by float64
	}
	left, rests := time, make([]rest, 0, len(shares))
	for i := range shares {
		exact := float64(time) * shares[i].Weight / sum
		n := min(int64(math.Floor(exact)), left)
		left -= n
		rests = append(rests, rest{i, exact - float64(n)})
		out = append(out, n)
	}
	slices.SortStableFunc(rests, func(a, b rest) int { return cmp.Compare(b.by, a.by) })
	for i := 0; left > 0; i, left = (i+1)%len(rests), left-1 {
		out[rests[i].at]++
	}
	return out, true
}

// portions gives a time to the parts of another interval, in proportion to their times: they
// have no places of their own any more.
func portions(parts []Part, from, to, time int64) []Part {
	merged := Merge(parts)
	shares := make([]Share, len(merged))
	for i := range merged {
		shares[i].Weight = float64(merged[i].Time)
	}
	times, ok := apportion(time, shares)
	if !ok {
		return nil
	}
	out := merged[:0]
	for i, p := range merged {
		p.Parts = portions(p.Parts, from, to, times[i])
		p.Begin, p.End, p.Time, p.Spread = from, to, times[i], true
		if p.Time > 0 {
			out = append(out, p)
		}
	}
	return out
}

// Divide divides an interval of a node among shares, in proportion to their weights.
func Divide(where string, from, to int64, shares []Share) []Part {
	return divide(where, from, to, to-from, shares)
}

// Merge merges parts with equal place and text, on every level.
func Merge(parts []Part) []Part {
	type name struct{ where, what string }
	var out []Part
	at := map[name]int{}
	for _, p := range parts {
		k := name{p.Where, p.What}
		i, ok := at[k]
		if !ok {
			at[k] = len(out)
			p.Parts = slices.Clone(p.Parts)
			out = append(out, p)
			continue
		}
		q := &out[i]
		if len(q.Parts) == 0 && len(p.Parts) > 0 { // so that the parts sum to both
			q.Parts = []Part{rest(q)}
		} else if len(q.Parts) > 0 && len(p.Parts) == 0 {
			p.Parts = []Part{rest(&p)}
		}
		q.Begin, q.End = min(q.Begin, p.Begin), max(q.End, p.End)
		q.Time, q.Count, q.Spread = q.Time+p.Time, q.Count+p.Count, q.Spread || p.Spread
		q.Parts = append(q.Parts, p.Parts...)
	}
	for i := range out {
		out[i].Parts = Merge(out[i].Parts)
	}
	return out
}

// Shorten removes redundant levels. A part that is the only part of its parent, at the same place,
// is replaced by its own parts; the own time of a span that did nothing else is removed.
func Shorten(parts []Part) []Part {
	for i := range parts {
		p := &parts[i]
		for len(p.Parts) == 1 {
			c := &p.Parts[0]
			if c.Where != p.Where || !c.named && !c.own {
				break
			}
			p.Parts = c.Parts
		}
		p.Parts = Shorten(p.Parts)
	}
	return parts
}

// Alike merges parts of one level whose texts differ only in numbers, on levels with more than
// most parts: layers L0.q to L31.q become L*.q.
func Alike(parts []Part, most int) []Part {
	if len(parts) > most {
		n := map[string]int{}
		for i := range parts {
			n[parts[i].Where+" "+digits.ReplaceAllString(parts[i].What, "*")]++
		}
		for i := range parts {
			if p := &parts[i]; n[p.Where+" "+digits.ReplaceAllString(p.What, "*")] > 1 {
				p.What = digits.ReplaceAllString(p.What, "*")
			}
		}
		parts = Merge(parts)
	}
	for i := range parts {
		parts[i].Parts = Alike(parts[i].Parts, most)
	}
	return parts
}

var digits = regexp.MustCompile(`[0-9]+`)

// rest is a part without parts, as a part of itself.
func rest(p *Part) Part {
	q := *p
	q.Parts = nil
	return q
}

// Sums reports whether the parts of a part sum to its time, on every level.
func (p *Part) Sums() bool {
	if len(p.Parts) == 0 {
		return true
	}
	sum := int64(0)
	for i := range p.Parts {
		if !p.Parts[i].Sums() {
			return false
		}
		sum += p.Parts[i].Time
	}
	return sum == p.Time
}
