package booksim

import (
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

// hotspot reads hotspot({T,T,...}): all packets go there.
func hotspot(r *importer.Reader, n *importer.Block, v importer.Value, args string) {
	list, rates, _ := strings.Cut(strings.TrimPrefix(args, "{"), "}")
	if strings.Contains(rates, "{") {
		r.Leave(v, "every hot terminal is as hot as the others")
	}
	var terminals []int
	for _, s := range strings.Split(list, ",") {
		x, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil && list != "" {
			v.Fail("%q is not a terminal", s)
			return
		}
		if list == "" || x < 0 {
			r.Leave(v, "terminal 0 for one that is drawn")
			x = 0
		}
		terminals = append(terminals, x)
	}
	n.From("pattern.name", "hotspot", v)
	n.Set("pattern.terminals", terminals, "")
	n.Set("pattern.percent", 100, "")
}
