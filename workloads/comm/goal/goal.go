package goal

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
)

func init() {
	comm.All.Add(registry.Entry[comm.Format]{
		Name:   "goal",
		Doc:    "GOAL schedules: sends, receives and computations of all ranks with their dependencies, as text.",
		Source: "T. Hoefler, C. Siebert, A. Lumsdaine, Group Operation Assembly Language, ICPP 2009; LogGOPSim's txt2bin grammar",
		New:    comm.Format{Sniff: sniff, Reader: comm.Files(read)},
	})
}

func sniff(head []byte) int {
	for _, line := range strings.SplitN(string(head), "\n", 16) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "num_ranks ") || strings.HasPrefix(line, "rank ") && strings.HasSuffix(line, "{") {
			return 95
		}
		if line != "" && !strings.HasPrefix(line, "//") && !strings.HasPrefix(line, "/*") {
			return 0
		}
	}
	return 0
}

// reader reads line by line: the grammar ends every statement at its line.
type reader struct {
	in     *comm.Input
	b      *comm.Builder
	line   int
	rank   *comm.Rank
	at     int // line of the rank
	labels map[string]int
	later  []dependency
	inside bool // a comment /* */
}

// A dependency is a dependency that is looked up when the rank ends.
type dependency struct {
	op, on string
	start  bool
	line   int
}

// calcUnit is what a calc counts.
//
// assumption: nanoseconds, LogGOPSim's usual unit; the format does not say it.
const calcUnit = units.Nanosecond

func read(in *comm.Input, b *comm.Builder) error {
	g := &reader{in: in, b: b}
	sc := bufio.NewScanner(in.Reader())
	sc.Buffer(make([]byte, 1<<12), 1<<16)
	for sc.Scan() {
		g.line++
		if err := g.statement(g.uncomment(sc.Text())); err != nil {
			return &comm.Error{File: in.Name, Line: g.line, Msg: err.Error()}
		}
	}
	switch err := sc.Err(); {
	case err == bufio.ErrTooLong:
		return &comm.Error{File: in.Name, Line: g.line + 1, Msg: "the line is longer than 65536 bytes"}
	case err != nil && err != io.EOF:
		return &comm.Error{File: in.Name, Line: g.line + 1, Msg: err.Error()}
	case g.rank != nil:
		return &comm.Error{File: in.Name, Line: g.line, Msg: fmt.Sprintf("the file ends inside a rank, which begins in line %d", g.at)}
	case g.inside:
		return &comm.Error{File: in.Name, Line: g.line, Msg: "the file ends inside a comment"}
	}
	return nil
}

func (g *reader) uncomment(s string) string {
	var out strings.Builder
	for s != "" {
		if g.inside {
			_, rest, found := strings.Cut(s, "*/")
			if !found {
				return out.String()
			}
			g.inside, s = false, rest
			out.WriteByte(' ')
			continue
		}
		open, line := strings.Index(s, "/*"), strings.Index(s, "//")
		if line >= 0 && (open < 0 || line < open) {
			out.WriteString(s[:line])
			return out.String()
		}
		if open < 0 {
			out.WriteString(s)
			return out.String()
		}
		out.WriteString(s[:open])
		g.inside, s = true, s[open+2:]
	}
	return out.String()
}

func (g *reader) statement(s string) error {
	// Braces and colons may stand without blanks around them.
	s = strings.NewReplacer("{", " { ", "}", " } ", ":", " : ").Replace(s)
	w := strings.Fields(s)
	for len(w) > 0 {
		var err error
		if w, err = g.step(w); err != nil {
			return err
		}
	}
	return nil
}

// step takes one statement off the words of a line.
func (g *reader) step(w []string) ([]string, error) {
	switch {
	case w[0] == "num_ranks":
		if len(w) < 2 {
			return nil, fmt.Errorf("num_ranks has no number")
		}
		n, err := number32(w[1], 1, comm.MaxRanks)
		if err != nil {
			return nil, fmt.Errorf("num_ranks: %w", err)
		}
		g.b.N = n
		return w[2:], nil
	case w[0] == "rank":
		return g.begin(w)
	case w[0] == "}":
		if g.rank == nil {
			return nil, fmt.Errorf("} without a rank")
		}
		err := g.link()
		g.rank = nil
		return w[1:], err
	case g.rank == nil:
		return nil, fmt.Errorf("%q stands outside a rank (want num_ranks or rank)", w[0])
	case len(w) > 1 && (w[1] == "requires" || w[1] == "irequires"):
		if len(w) < 3 {
			return nil, fmt.Errorf("%s has no label after it", w[1])
		}
		g.later = append(g.later, dependency{w[0], w[2], w[1] == "irequires", g.line})
		return w[3:], nil
	}
	return g.labelled(w)
}

// begin takes the beginning of a rank.
func (g *reader) begin(w []string) ([]string, error) {
	if g.rank != nil {
		return nil, fmt.Errorf("a rank inside the rank of line %d (want } before it)", g.at)
	}
	if len(w) < 3 || w[2] != "{" {
		return nil, fmt.Errorf("want rank NUMBER {")
	}
	limit := comm.MaxRanks
	if g.b.N > 0 {
		limit = g.b.N
	}
	n, err := number32(w[1], 0, limit-1)
	if err != nil {
		return nil, fmt.Errorf("rank: %w", err)
	}
	r, fresh := g.b.Rank(n)
	if !fresh {
		return nil, fmt.Errorf("rank %d is there twice", n)
	}
	g.rank, g.at, g.labels, g.later = r, g.line, map[string]int{}, g.later[:0]
	return w[3:], nil
}

// labelled takes an operation, and the label before it.
func (g *reader) labelled(w []string) ([]string, error) {
	label := ""
	if len(w) > 1 && w[1] == ":" {
		label, w = w[0], w[2:]
	}
	if label != "" && !isLabel(label) {
		return nil, fmt.Errorf("%q is no label (want a letter, then letters, digits and _)", label)
	}
	o, w, err := operation(w)
	if err != nil {
		return nil, err
	}
	if g.rank.Len() >= comm.MaxOps {
		return nil, fmt.Errorf("more than %d operations", comm.MaxOps)
	}
	i := g.rank.Add(o)
	if label == "" {
		return w, nil
	}
	if _, dup := g.labels[label]; dup {
		return nil, fmt.Errorf("label %s is there twice", label)
	}
	g.labels[label] = i
	return w, nil
}

func isLabel(s string) bool {
	for i, c := range []byte(s) {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}

// link looks the labels of the dependencies up.
func (g *reader) link() error {
	for _, d := range g.later {
		i, ok := g.labels[d.op]
		j, ok2 := g.labels[d.on]
		if !ok || !ok2 {
			name := d.op
			if ok {
				name = d.on
			}
			g.line = d.line
			return fmt.Errorf("there is no label %q in this rank", name)
		}
		dep := comm.After(j)
		if d.start {
			dep = comm.With(j)
		}
		g.rank.Require(i, dep)
	}
	return nil
}

// operation parses send, recv and calc.
func operation(w []string) (o comm.Op, rest []string, err error) {
	if len(w) == 0 {
		return o, nil, fmt.Errorf("want send, recv or calc")
	}
	verb := w[0]
	switch verb {
	case "calc":
		n, err := strconv.ParseUint(word(w, 1), 10, 64)
		if err != nil || n > math.MaxUint64/uint64(calcUnit) {
			return o, nil, fmt.Errorf("calc: %q is no time (want a whole number of ns)", word(w, 1))
		}
		o, rest = comm.Op{Kind: comm.Compute, Time: units.Time(n) * calcUnit}, w[2:]
	case "send", "recv":
		if o, rest, err = message(w); err != nil {
			return o, nil, err
		}
	default:
		return o, nil, fmt.Errorf("%q is no operation (want send, recv or calc)", verb)
	}
	for len(rest) > 0 {
		taken, err := attribute(&o, verb, rest[0], word(rest, 1))
		if err != nil {
			return o, nil, err
		}
		if !taken {
			break
		}
		rest = rest[2:]
	}
	if len(rest) > 0 && rest[0] != "}" {
		return o, nil, fmt.Errorf("%q after a %s (want tag, cpu, nic or the end of the line)", rest[0], verb)
	}
	return o, rest, nil
}

// word is word i; "" after the last.
func word(w []string, i int) string {
	if i < len(w) {
		return w[i]
	}
	return ""
}

// message parses a send to or a recv from a rank.
func message(w []string) (o comm.Op, rest []string, err error) {
	verb := w[0]
	size, ok := strings.CutSuffix(word(w, 1), "b")
	if !ok && word(w, 2) == "b" { // a blank before the unit
		w = append([]string{w[0], w[1] + "b"}, w[3:]...)
		ok = true
	}
	n, err := strconv.ParseUint(size, 10, 62)
	if err != nil || !ok {
		return o, nil, fmt.Errorf("%s: %q is no size (want a whole number and b)", verb, word(w, 1))
	}
	prep, low := "to", 0
	o = comm.Op{Kind: comm.Send, Bytes: n}
	if verb == "recv" {
		o.Kind, prep, low = comm.Recv, "from", comm.AnySource
	}
	if word(w, 2) != prep {
		return o, nil, fmt.Errorf("%s: want %s and a rank, not %q", verb, prep, word(w, 2))
	}
	peer, err := number32(word(w, 3), low, comm.MaxRanks-1)
	if err != nil {
		return o, nil, fmt.Errorf("%s: %w", verb, err)
	}
	o.Peer = int32(peer)
	return o, w[4:], nil
}

// attribute gives an operation a tag or a unit; taken is false where the word is neither.
func attribute(o *comm.Op, verb, key, value string) (taken bool, err error) {
	low, high := 0, math.MaxUint8
	switch key {
	case "tag":
		if high = math.MaxInt64; verb == "recv" {
			low = comm.AnyTag
		}
	case "cpu", "nic":
	default:
		return false, nil
	}
	n, err := number32(value, low, high)
	switch {
	case err != nil:
		return false, fmt.Errorf("%s: %w", key, err)
	case key == "tag" && verb == "calc":
		return false, fmt.Errorf("calc has no tag")
	case key == "tag":
		o.Tag = int64(n)
	case key == "cpu":
		o.Unit = uint8(n)
	}
	return true, nil
}

func number32(s string, low, high int) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < low || n > high {
		return 0, fmt.Errorf("%q is no number from %d to %d", s, low, high)
	}
	return n, nil
}
