package booksim

import (
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/importer"
)

// patterns are those with a counterpart.
var patterns = map[string]string{
	"uniform": "uniform", "bitcomp": "bitcomp", "bitrev": "bitrev", "transpose": "transpose", "shuffle": "shuffle",
	"tornado": "tornado", "neighbor": "neighbor", "randperm": "randperm", "bad_dragon": "adv+1",
}

// strange are those without one.
var strange = []string{"asymmetric", "background", "badperm_yarc", "diagonal", "taper64"}

// pattern writes who sends to whom.
func pattern(r *importer.Reader, n *importer.Block) {
	v := r.Get("traffic", "uniform")
	name, args, _ := strings.Cut(strings.TrimSuffix(v.Text, ")"), "(")
	if ours, ok := patterns[name]; ok {
		if args != "" && name != "randperm" {
			r.Leave(v, "the parameters are those of the topology")
		}
		n.From("pattern", ours, v)
		numbering(r, v, name)
		return
	}
	if name == "hotspot" {
		hotspot(r, n, v, args)
		return
	}
	for _, s := range strange {
		if s == name {
			r.Leave(v, "uniform: no such pattern here (causeway list patterns)")
			n.From("pattern", "uniform", v)
			return
		}
	}
	v.Fail("unknown pattern %q (want one of: uniform, bitcomp, bitrev, transpose, shuffle, tornado, neighbor, randperm, bad_dragon, hotspot, %s)", v.Text, strings.Join(strange, ", "))
}

// numbering notes that terminals of a concentrated network have other numbers.
func numbering(r *importer.Reader, v importer.Value, name string) {
	if t := r.Peek("topology", "torus"); (t == "cmesh" || t == "flatfly") && name != "uniform" && name != "randperm" {
		r.Leave(v, "the terminals of a router have consecutive numbers here; in the tool those of %s form squares on the grid of all terminals, so partners are others", t)
	}
}

// elements are the parts of a list in braces, as the tool reads them; a text without braces is one.
func elements(s string) (out []string) {
	inner, ok := strings.CutPrefix(s, "{")
	if !ok {
		return []string{s}
	}
	depth, from := 0, 0
	for i := range inner {
		switch c := inner[i]; {
		case c == '{':
			depth++
		case c == '}' && depth > 0:
			depth--
		case c == '}' || c == ',' && depth == 0:
			out = append(out, strings.TrimSpace(inner[from:i]))
			if from = i + 1; c == '}' {
				return out
			}
		}
	}
	return out
}

// number is the number at the start of a text, as the tool reads it; what follows is left out.
func number(s string) (n int, rest string, ok bool) {
	s = strings.TrimSpace(s)
	end := strings.IndexFunc(s, func(c rune) bool { return (c < '0' || c > '9') && c != '-' })
	if end < 0 {
		end = len(s)
	}
	n, err := strconv.Atoi(s[:end])
	return n, s[end:], err == nil
}

// hotspot reads hotspot(T), hotspot({T,RATE}), hotspot({{T,T,...}}) or hotspot({{T,T,...},{RATE,...}}):
// all packets go to the terminals T. The tool reads a list without braces of its own as its first
// number.
func hotspot(r *importer.Reader, n *importer.Block, v importer.Value, args string) {
	var params []string
	if args != "" {
		params = elements(args)
	}
	var terminals []int
	if len(params) > 0 {
		for _, s := range elements(params[0]) {
			x, rest, ok := number(s)
			if !ok {
				v.Fail("%q is not a terminal", s)
				return
			}
			if rest != "" {
				r.Leave(v, "the tool reads %q as %d: lists have braces, as in hotspot({{0,5}})", s, x)
			}
			terminals = append(terminals, x)
		}
	} else {
		terminals = []int{-1}
	}
	for i, x := range terminals {
		if x < 0 {
			r.Leave(v, "terminal 0 for one that is drawn")
			terminals[i] = 0
		}
	}
	if len(params) > 1 {
		if rates := elements(params[1]); len(rates) > 1 && slices.ContainsFunc(rates, func(x string) bool { return x != rates[0] }) {
			r.Leave(v, "every hot terminal is as hot as the others")
		}
	}
	n.From("pattern.name", "hotspot", v)
	n.Set("pattern.terminals", terminals, "")
	n.Set("pattern.percent", 100, "")
}
