package item

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/chain"
)

// nanoseconds is a number of ps as a JSON number of ns, exactly.
type nanoseconds int64

// MarshalJSON implements json.Marshaler.
func (n nanoseconds) MarshalJSON() ([]byte, error) { return []byte(n.String()), nil }

func (n nanoseconds) String() string {
	s := fmt.Sprintf("%d.%03d", n/1000, n%1000)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

type jsonPart struct {
	Where string      `json:"where"`
	What  string      `json:"what"`
	Begin nanoseconds `json:"begin"`
	End   nanoseconds `json:"end"`
	Time  nanoseconds `json:"time"`
	Count int         `json:"count,omitempty"` // intervals, where they are several
	Share bool        `json:"share,omitempty"` // a portion of the time, without a place
	Parts []jsonPart  `json:"parts,omitempty"`
}

// JSON is the answer for programs. Times are in ns and exact: parts sum to what they are of.
func (a *Answer) JSON() ([]byte, error) {
	b, err := json.MarshalIndent(struct {
		Item    string      `json:"item"`
		Latency nanoseconds `json:"latency"`
		Unit    string      `json:"unit"`
		Begin   nanoseconds `json:"begin"`
		End     nanoseconds `json:"end"`
		Notes   []string    `json:"notes,omitempty"`
		Parts   []jsonPart  `json:"parts"`
	}{a.Item, nanoseconds(a.End - a.Begin), "ns", nanoseconds(a.Begin), nanoseconds(a.End), a.Notes, jsonParts(a.Parts)}, "", "  ")
	return append(b, '\n'), err
}

func jsonParts(parts []chain.Part) []jsonPart {
	out := []jsonPart{}
	for _, p := range parts {
		j := jsonPart{Where: p.Where, What: p.What, Begin: nanoseconds(p.Begin), End: nanoseconds(p.End), Time: nanoseconds(p.Time), Share: p.Spread, Parts: jsonParts(p.Parts)}
		if p.Count > 1 {
			j.Count = p.Count
		}
		if len(j.Parts) == 0 {
			j.Parts = nil
		}
		out = append(out, j)
	}
	return out
}

// mostLines is how long a printed answer is at most, but for its head.
const mostLines = 36

// Print writes the answer in words. Parts of little time become one line on their level.
func (a *Answer) Print(w io.Writer) error {
	latency := a.End - a.Begin
	fmt.Fprintf(w, "%s: %s, from %s to %s us of the run\n", a.Item, human(latency), micro(a.Begin), micro(a.End))
	for _, n := range a.Notes {
		fmt.Fprintf(w, "(%s)\n", n)
	}
	least := latency / 200
	for ; lines(a.Parts, least) > mostLines; least += least/2 + 1 {
	}
	p := printer{w: w, whole: latency, least: least}
	p.parts(a.Parts, 0, "")
	return p.err
}

// shown divides parts into those that have a line of their own, and the rest.
func shown(parts []chain.Part, least int64) (big []chain.Part, rest int64, n int) {
	for _, p := range parts {
		if p.Time >= least {
			big = append(big, p)
			continue
		}
		rest += p.Time
		n++
	}
	return big, rest, n
}

// lines is how many lines parts take.
func lines(parts []chain.Part, least int64) (n int) {
	big, _, small := shown(parts, least)
	if len(big) == 0 {
		return 0
	}
	for _, p := range big {
		n += 1 + lines(p.Parts, least)
	}
	return n + min(small, 1)
}

type printer struct {
	w            io.Writer
	whole, least int64
	err          error
}

func (p *printer) parts(parts []chain.Part, depth int, under string) {
	big, rest, n := shown(parts, p.least)
	if len(big) == 0 {
		return
	}
	for _, x := range big {
		text := x.What
		if x.Where != under {
			text = x.Where + ": " + text
		}
		p.line(x.Time, depth, text, p.place(x))
		p.parts(x.Parts, depth+1, x.Where)
	}
	if n > 0 {
		p.line(rest, depth, "other ("+strconv.Itoa(n)+" parts)", "")
	}
}

// place is the text for the times of a part.
func (p *printer) place(x chain.Part) string {
	switch {
	case x.Spread:
		return ""
	case x.Count > 1:
		return fmt.Sprintf("%d times, %s to %s us", x.Count, micro(x.Begin), micro(x.End))
	}
	return fmt.Sprintf("%s to %s us", micro(x.Begin), micro(x.End))
}

// micro is a place on the timeline, which counts microseconds.
func micro(t int64) string { return strconv.FormatFloat(float64(t)/1e6, 'f', 3, 64) }

func (p *printer) line(time int64, depth int, text, place string) {
	share := 100 * float64(time) / float64(max(p.whole, 1))
	s := fmt.Sprintf("%12s %5.1f%%  %s%s", human(time), share, strings.Repeat("  ", depth), text)
	if place != "" {
		s += "  [" + place + "]"
	}
	if _, err := fmt.Fprintln(p.w, s); p.err == nil {
		p.err = err
	}
}

// human is a number of ps in the unit that suits it, with six digits.
func human(t int64) string {
	for _, u := range []struct {
		of   int64
		name string
	}{{1e12, "s"}, {1e9, "ms"}, {1e6, "us"}, {1e3, "ns"}} {
		if t >= u.of {
			return strconv.FormatFloat(float64(t)/float64(u.of), 'g', 6, 64) + " " + u.name
		}
	}
	return strconv.FormatInt(t, 10) + " ps"
}
