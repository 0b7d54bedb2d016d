package design

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/components/units"
)

// Print writes a whole nest in Causeway's form, with its mapping if there is one:
// ReadFile takes it back. A machine with several outermost instances is an error, since
// fan-outs lie below a level.
func Print(d *nest.Description) ([]byte, error) {
	if m := d.Arch.Levels[0].Mesh; m.Count() != 1 {
		return nil, fmt.Errorf("level %s is the outermost and has %d x %d instances; in Causeway's form it has one", d.Arch.Levels[0].Name, m.X, m.Y)
	}
	p := &printer{d: d}
	for l := range d.Arch.Levels {
		if d.Arch.Levels[l].Wire != 0 {
			p.line(0, "energy: {wire: 1pJ} # so that the lengths of wires below are their energies")
			break
		}
	}
	p.line(0, "levels:")
	for l := range d.Arch.Levels {
		p.level(l)
	}
	p.compute()
	p.problem()
	if d.Mapping != nil {
		p.b.Write(PrintMapping(d, d.Mapping))
	}
	return p.b.Bytes(), nil
}

type printer struct {
	d *nest.Description
	b bytes.Buffer
}

func (p *printer) line(indent int, format string, args ...any) {
	p.b.WriteString(strings.Repeat(" ", indent))
	fmt.Fprintf(&p.b, format, args...)
	p.b.WriteByte('\n')
}

func (p *printer) level(l int) {
	x := &p.d.Arch.Levels[l]
	p.line(2, "- name: %s", quoted(x.Name))
	p.line(4, "word: %s", Bits(float64(x.WordBits)))
	amount := func(key string, words float64, more string) {
		if words > 0 {
			p.line(4, "%s: %s%s", key, Words(words), more)
		}
	}
	amount("capacity", math.Floor(x.Words), "")
	if x.Block != 1 {
		amount("block", x.Block, "")
	}
	amount("read_bandwidth", x.ReadBandwidth, "/cycle")
	amount("write_bandwidth", x.WriteBandwidth, "/cycle")
	amount("bandwidth", x.SharedBandwidth, "/cycle")
	number := func(key string, v, without float64) {
		if v != without {
			p.line(4, "%s: %s", key, plain(v))
		}
	}
	number("cluster", float64(x.Cluster), 1)
	number("buffering", x.Buffering, 1)
	number("min_utilization", x.Utilization, 0)
	c := &p.d.Constraints.Levels[l]
	keep, bypass := x.Keep|c.Keep, x.Bypass|c.Bypass
	if m := p.d.Mapping; m != nil { // a mapping may keep other tensors than constraints of a search
		keep, bypass = keep&m.Levels[l].Keep, bypass&^m.Levels[l].Keep
	}
	if x.Words == 0 && p.d.Mapping != nil && p.d.Mapping.Levels[l].Keep == 0 {
		bypass = nest.Mask(1)<<uint(len(p.d.Problem.Tensors)) - 1
	}
	if keep != 0 {
		p.line(4, "keep: [%s]", tensorList(p.d, keep))
	}
	if bypass != 0 && (x.Words == 0 || bypass.Len() < len(p.d.Problem.Tensors)) {
		p.line(4, "bypass: [%s]", tensorList(p.d, bypass))
	}
	p.fanout(l, x)
	p.energy(&x.Energy)
	if x.Area != 0 {
		p.line(4, "area: %sum2", plain(x.Area))
	}
	p.sparse(l, x)
	p.constraints(c)
}

func (p *printer) fanout(l int, x *nest.Level) {
	fan := p.d.Arch.Fanout(l)
	if fan.Count() == 1 {
		return
	}
	p.line(4, "fanout:")
	p.line(6, "x: %d", fan.X)
	p.line(6, "y: %d", fan.Y)
	alongX, alongY := x.UnrollX, x.UnrollY
	if c := &p.d.Constraints.Levels[l].Spatial; c.Split >= 0 { // Timeloop's order and split
		alongX, alongY = []int{}, []int{}
		for i, d := range c.Whole(len(p.d.Problem.Dims)) {
			if i < c.Split {
				alongX = append(alongX, d)
			} else {
				alongY = append(alongY, d)
			}
		}
	}
	for _, a := range []struct {
		key  string
		dims []int
	}{{"unroll_x", alongX}, {"unroll_y", alongY}} {
		if a.dims != nil {
			p.line(6, "%s: [%s]", a.key, p.dims(a.dims))
		}
	}
	if x.Forward {
		p.line(6, "forwarding: true")
	}
	if x.NoMulticast {
		p.line(6, "multicast: false")
	}
	if x.NoReduction {
		p.line(6, "reduction: false")
	}
	if x.Wire != 0 {
		p.line(6, "wire: %smm", plain(x.Wire/float64(x.WordBits)))
	}
}

func (p *printer) dims(list []int) string {
	var out []string
	for _, d := range list {
		out = append(out, quoted(p.d.Problem.Dims[d].Name))
	}
	return strings.Join(out, ", ")
}

func (p *printer) energy(a *nest.Actions) {
	if *a == (nest.Actions{}) {
		return
	}
	p.line(4, "energy:")
	p.line(6, "update: %s", joules(a.Update))
	for _, x := range []struct {
		key string
		pj  float64
	}{{"read", a.Read}, {"write", a.Write}, {"leak", a.Leak},
		{"gated_read", a.GatedRead}, {"gated_write", a.GatedWrite}, {"gated_update", a.GatedUpdate},
		{"metadata_read", a.MetaRead}, {"metadata_write", a.MetaWrite}, {"metadata_update", a.MetaUpdate},
		{"gated_metadata_read", a.GatedMetaRead}, {"gated_metadata_write", a.GatedMetaWrite}, {"gated_metadata_update", a.GatedMetaUpdate},
		{"decompress", a.Decompress}, {"compress", a.Compress}} {
		if x.pj != 0 {
			p.line(6, "%s: %s", x.key, joules(x.pj))
		}
	}
}

// joules prints pJ so that no digit is lost.
func joules(pj float64) string {
	if s := plain(pj) + "pJ"; len(s) < 30 {
		return s
	}
	return units.Energy(pj * 1e-12).String()
}

func (p *printer) sparse(l int, x *nest.Level) {
	if m := x.Metadata; m.Width > 0 {
		p.line(4, "metadata:")
		p.line(6, "width: %s", Bits(float64(m.Width)))
		if m.Bits > 0 {
			p.line(6, "item: %s", Bits(float64(m.Bits)))
		}
		if m.Depth > 0 {
			p.line(6, "accesses: %s", plain(m.Depth))
		}
	}
	s := p.d.Sparse
	if s == nil {
		return
	}
	title := "formats:"
	if l < len(s.Formats) {
		for t, ranks := range s.Formats[l] {
			if ranks == nil {
				continue
			}
			if title != "" {
				p.line(4, "%s", title)
				title = ""
			}
			p.line(6, "- tensor: %s", quoted(p.d.Problem.Tensors[t].Name))
			p.line(8, "ranks:")
			for _, r := range ranks {
				p.rank(r)
			}
		}
	}
	title = "savings:"
	for _, x := range s.Savings {
		if x.Level != l {
			continue
		}
		if title != "" {
			p.line(4, "%s", title)
			title = ""
		}
		how := "gate"
		if x.Skip {
			how = "skip"
		}
		p.line(6, "- how: %s", how)
		p.line(8, "options:")
		for _, o := range x.Options {
			p.line(8, "  - {target: %s, where: [%s]}", quoted(p.d.Problem.Tensors[o.Target].Name), tensorList(p.d, o.Leaders))
		}
	}
}

func (p *printer) rank(r nest.Rank) {
	for name, f := range formats {
		if f == r.Format {
			p.line(10, "- format: %s", name)
		}
	}
	if r.Flatten != 0 {
		var list []int
		for d := range p.d.Problem.Dims {
			if r.Flatten.Has(d) {
				list = append(list, d)
			}
		}
		p.line(12, "flatten: [%s]", p.dims(list))
	}
	if r.MetaBits > 0 {
		p.line(12, "item: %s", Bits(float64(r.MetaBits)))
	}
	if r.PayloadBits > 0 {
		p.line(12, "payload: %s", Bits(float64(r.PayloadBits)))
	}
}

// constraints prints what a search may propose.
func (p *printer) constraints(c *nest.LevelConstraints) {
	var out [][2]string
	for _, x := range []struct {
		key string
		c   *nest.LoopConstraints
	}{{"factors", &c.Temporal}, {"spatial", &c.Spatial}} {
		var list []string
		for d, dim := range p.d.Problem.Dims {
			switch f := x.c.Factor[d]; {
			case f == nest.Rest:
				list = append(list, quoted(dim.Name)+": rest")
			case f > 0:
				list = append(list, fmt.Sprintf("%s: \"%d\"", quoted(dim.Name), f))
			case x.c.Most[d] > 0:
				list = append(list, fmt.Sprintf("%s: \"<=%d\"", quoted(dim.Name), x.c.Most[d]))
			}
		}
		if list != nil {
			out = append(out, [2]string{x.key, "{" + strings.Join(list, ", ") + "}"})
		}
	}
	if n := len(c.Temporal.Order); n > 0 {
		var order []int
		for i := n - 1; i >= 0; i-- {
			order = append(order, c.Temporal.Order[i])
		}
		out = append(out, [2]string{"order", "[" + p.dims(order) + "]"})
	}
	if out == nil {
		return
	}
	p.line(4, "constraints:")
	for _, x := range out {
		p.line(6, "%s: %s", x[0], x[1])
	}
}

func (p *printer) compute() {
	c := &p.d.Arch.Compute
	p.line(0, "compute:")
	p.line(2, "name: %s", quoted(c.Name))
	if c.Energy != 0 {
		p.line(2, "energy: %s", joules(c.Energy))
	}
	if c.GatedEnergy != 0 {
		p.line(2, "gated_energy: %s", joules(c.GatedEnergy))
	}
	if c.Area != 0 {
		p.line(2, "area: %sum2", plain(c.Area))
	}
}

func (p *printer) problem() {
	x := &p.d.Problem
	p.line(0, "problem:")
	p.line(2, "name: %s", quoted(x.Name))
	var dims []string
	for _, d := range x.Dims {
		dims = append(dims, fmt.Sprintf("%s: %d", quoted(d.Name), d.Size))
	}
	p.line(2, "dims: {%s}", strings.Join(dims, ", "))
	p.line(2, "tensors:")
	density := false
	for _, t := range x.Tensors {
		var index []string
		for _, r := range t.Ranks {
			var sum []string
			for _, y := range r {
				if y.Coef == 1 {
					sum = append(sum, x.Dims[y.Dim].Name)
				} else {
					sum = append(sum, fmt.Sprintf("%d*%s", y.Coef, x.Dims[y.Dim].Name))
				}
			}
			index = append(index, fmt.Sprintf("%q", strings.Join(sum, " + ")))
		}
		written := ""
		if t.Written {
			written = ", written: true"
		}
		p.line(4, "- {name: %s, index: [%s]%s}", quoted(t.Name), strings.Join(index, ", "), written)
		density = density || t.Density.Distribution != nest.Dense
	}
	if !density {
		return
	}
	p.line(2, "density:")
	for _, t := range x.Tensors {
		switch t.Density.Distribution {
		case nest.Uniform:
			p.line(4, "%s: {uniform: %s}", quoted(t.Name), plain(t.Density.Value))
		case nest.Structured:
			p.line(4, "%s: {structured: %s}", quoted(t.Name), plain(t.Density.Value))
		}
	}
}
