package flit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The formats of 68 B flits once more, as CXL 2.0 lists them.
var list68 = map[string]string{
	"down H0": "H2DReq H2DRsp",
	"down H1": "H2DData H2DRsp H2DRsp",
	"down H2": "H2DReq H2DData",
	"down H3": "H2DData H2DData H2DData H2DData",
	"down H4": "M2SRwD",
	"down H5": "M2SReq",
	"down G1": "H2DRsp H2DRsp H2DRsp H2DRsp",
	"down G2": "H2DReq H2DData H2DRsp",
	"down G3": "H2DData H2DData H2DData H2DData H2DRsp",
	"down G4": "M2SReq H2DData",
	"down G5": "M2SRwD H2DRsp",
	"up H0":   "D2HData D2HRsp D2HRsp S2MNDR",
	"up H1":   "D2HReq D2HData",
	"up H2":   "D2HData D2HData D2HData D2HData D2HRsp",
	"up H3":   "S2MDRS S2MNDR",
	"up H4":   "S2MNDR S2MNDR",
	"up H5":   "S2MDRS S2MDRS",
	"up G1":   "D2HReq D2HRsp D2HRsp",
	"up G2":   "D2HReq D2HData D2HRsp",
	"up G3":   "D2HData D2HData D2HData D2HData",
	"up G4":   "S2MDRS S2MNDR S2MNDR",
	"up G5":   "S2MNDR S2MNDR",
	"up G6":   "S2MDRS S2MDRS S2MDRS",
}

var bits68 = map[string]int{
	"M2SReq": 87, "M2SRwD": 87, "H2DReq": 64, "H2DRsp": 32, "H2DData": 24,
	"S2MNDR": 30, "S2MDRS": 40, "D2HReq": 79, "D2HRsp": 20, "D2HData": 17,
}

// twin packs 68 B flits by searching: slow, and in the words of the rules.
type twin struct {
	way    string // "down" or "up"
	wait   []Message
	owed   []string // slots of data
	limits Limits
}

// flit is the next flit: four slots of text.
func (w *twin) flit() (slots [4]string) {
	if len(w.owed) >= 4 {
		copy(slots[:], w.owed)
		w.owed = w.owed[4:]
		return slots
	}
	sent := map[Class]int{}
	be := "?"
	for i := range slots {
		if i > 0 && len(w.owed) > 0 {
			slots[i], w.owed = w.owed[0], w.owed[1:]
			continue
		}
		slots[i] = w.header(i, sent, &be)
	}
	return slots
}

// usable lists those waiting that may go into this slot, the class's order kept.
func (w *twin) usable(sent map[Class]int, be string) []Message {
	var out []Message
	closed := map[Class]bool{}
	n := map[Class]int{}
	for _, m := range w.wait {
		c := m.Class
		no := closed[c] || w.limits[c] > 0 && sent[c]+n[c] >= int(w.limits[c])
		if c.HasData() && n[c] == 0 {
			no = no || be != "?" && be != fmt.Sprint(m.Slots()) || len(w.owed)+m.Slots() > ahead
		}
		if no {
			closed[c] = true
			continue
		}
		n[c]++
		out = append(out, m)
	}
	return out
}

func (w *twin) header(i int, sent map[Class]int, be *string) string {
	use := w.usable(sent, *be)
	kind := "G"
	if i == 0 {
		kind = "H"
	}
	var names []string
	for n := range list68 {
		if strings.HasPrefix(n, w.way+" "+kind) {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	for _, first := range use {
		best, most := "", 0
		for _, n := range names {
			if !slices.Contains(strings.Fields(list68[n]), first.Class.String()) {
				continue
			}
			left := slices.Clone(use)
			bits := 0
			for _, c := range strings.Fields(list68[n]) {
				if k := slices.IndexFunc(left, func(m Message) bool { return m.Class.String() == c }); k >= 0 {
					left = slices.Delete(left, k, k+1)
					bits += 8 * bits68[c]
					if c == first.Class.String() {
						bits++ // which decides among equals
					}
				}
			}
			// two NDR alone in slot 0, where more DRS wait than NDR
			if first.Class == S2MNDR && n == "up H4" && count(use, S2MNDR) >= 2 && count(use, S2MDRS) >= 3 &&
				count(w.wait, S2MNDR) < count(w.wait, S2MDRS) {
				best, most = n, 9999
			}
			if bits > most {
				best, most = n, bits
			}
		}
		if best == "" {
			continue // no format of this slot carries the class
		}
		text := best[len(w.way)+1:]
		classes := strings.Fields(list68[best])
		slices.SortStableFunc(classes, func(a, b string) int {
			return slices.Index(classNames[:], a) - slices.Index(classNames[:], b)
		})
		for _, c := range classes {
			k := slices.IndexFunc(w.usable(sent, *be), func(m Message) bool { return m.Class.String() == c })
			if k < 0 {
				continue
			}
			m := w.usable(sent, *be)[k]
			w.wait = slices.DeleteFunc(w.wait, func(o Message) bool { return o.Ref == m.Ref })
			sent[m.Class]++
			text += fmt.Sprintf(" %d", m.Ref)
			if m.Class.HasData() {
				*be = fmt.Sprint(m.Slots())
			}
			for k := range m.Slots() {
				w.owed = append(w.owed, fmt.Sprintf("data %d.%d", m.Line.BE, k))
			}
		}
		return text
	}
	return ""
}

func count(list []Message, c Class) (n int) {
	for _, m := range list {
		if m.Class == c {
			n++
		}
	}
	return n
}

func text68(f *Flit) (slots [4]string) {
	for i := range slots {
		switch s := f.Slots[i]; s.Kind {
		case Header:
			slots[i] = fmt.Sprintf("%s%d", []string{"H", "G", "G", "G"}[i], s.Code)
			for _, m := range f.Messages[s.First : s.First+s.Count] {
				slots[i] += fmt.Sprintf(" %d", m.Ref)
			}
		case Data:
			slots[i] = fmt.Sprintf("data %d.%d", s.Line.BE, s.Chunk)
		case Enables:
			slots[i] = fmt.Sprintf("data %d.4", s.Line.BE)
		}
	}
	return slots
}

// The packer and its twin agree slot by slot, for any stream in any rhythm.
func TestTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Direction(rapid.IntRange(0, 1).Draw(t, "direction"))
		in := stream(t, Flit68, d, 50)
		w := &twin{way: []string{"down", "up"}[d], limits: DefaultLimits(Flit68)}
		p := NewPacker(Flit68, d, w.limits)
		var f Flit
		next := 0
		for next < len(in) || p.Ready() {
			for range rapid.IntRange(0, 9).Draw(t, "arrivals") {
				if next < len(in) {
					m := in[next]
					if m.Line != nil {
						m.Line = &Line{BE: uint64(next)}
					}
					p.Push(m)
					w.wait = append(w.wait, m)
					next++
				}
			}
			p.Pack(&f)
			require.Equal(t, w.flit(), text68(&f))
		}
	})
}
