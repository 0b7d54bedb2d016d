package report

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// The drawing of a roofline on the page, in pixels. Text and lines take the
// colour of the page's text, so that it can be read on white and on black.
const (
	svgW, svgH                = 900.0, 470.0
	padL, padR, padT, padB    = 70.0, 20.0, 14.0, 52.0
	labelWidth, labelDistance = 7.0, 13.0 // of a letter; between two lines
)

// svg draws the roofline with logarithmic axes. Every point says its layer when
// it is pointed at; those with most cycles carry their name.
func (r *roofline) svg() string {
	xlo, xhi, ylo, yhi := r.extent()
	x, y := r.pixels()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %g %g" role="img" aria-label="Roofline" xmlns="http://www.w3.org/2000/svg">`, svgW, svgH)
	for d := math.Ceil(xlo); d <= xhi; d++ {
		at := x(math.Pow(10, d))
		fmt.Fprintf(&b, `<path class="grid" d="M%.1f %g V%g"/><text class="tick" text-anchor="middle" x="%.1f" y="%g">%s</text>`, at, padT, svgH-padB, at, svgH-padB+18, decade(d))
	}
	for d := math.Ceil(ylo); d <= yhi; d++ {
		at := y(math.Pow(10, d))
		fmt.Fprintf(&b, `<path class="grid" d="M%g %.1f H%g"/><text class="tick" text-anchor="end" x="%g" y="%.1f">%s</text>`, padL, at, svgW-padR, padL-8, at+4, decade(d))
	}
	fmt.Fprintf(&b, `<text class="axis" text-anchor="middle" x="%g" y="%g">%s</text>`, (padL+svgW-padR)/2, svgH-10, roofX)
	fmt.Fprintf(&b, `<text class="axis" text-anchor="middle" transform="translate(16 %g) rotate(-90)">%s</text>`, (padT+svgH-padB)/2, roofY)
	for _, l := range r.lines() {
		b.WriteString(`<path class="roof" d="`)
		for i := range l.xs {
			fmt.Fprintf(&b, "%c%.1f %.1f ", "ML"[min(i, 1)], x(l.xs[i]), y(l.ys[i]))
		}
		b.WriteString(`"/>`)
	}
	heaviest := r.heaviest(1)[0].cycles
	for _, p := range r.points {
		radius := 3 + 6*math.Sqrt(p.cycles/heaviest)
		fmt.Fprintf(&b, `<circle class="dot" cx="%.1f" cy="%.1f" r="%.1f"><title>%s: %s MACs per byte, %s per cycle, %s cycles</title></circle>`,
			x(p.x), y(p.y), radius, html.EscapeString(p.label()), Pretty(p.x), Pretty(p.y), Pretty(p.cycles))
	}
	for _, l := range r.named() {
		fmt.Fprintf(&b, `<text class="name" x="%.1f" y="%.1f">%s</text>`, l.x, l.y, html.EscapeString(l.label()))
	}
	b.WriteString(`</svg>`)
	return b.String()
}

// pixels returns the scales of both axes.
func (r *roofline) pixels() (x, y func(float64) float64) {
	xlo, xhi, ylo, yhi := r.extent()
	return func(v float64) float64 { return padL + (svgW-padL-padR)*(math.Log10(v)-xlo)/(xhi-xlo) },
		func(v float64) float64 { return svgH - padB - (svgH-padT-padB)*(math.Log10(v)-ylo)/(yhi-ylo) }
}

// A name is a point that carries its name, and where the text stands on the page.
type name struct {
	roofPoint
	x, y float64
	left bool // of the point
}

// named picks the points with most cycles whose names do not cover each other.
func (r *roofline) named() (out []name) {
	x, y := r.pixels()
	var taken labels
	for _, p := range r.heaviest(3 * labelled) {
		n := name{roofPoint: p, x: x(p.x) + 11, y: y(p.y) + 4}
		if width := labelWidth * float64(len(p.label())); n.x+width > svgW-padR {
			n.x, n.left = x(p.x)-11-width, true
		}
		if taken.free(n.x, n.y, len(p.label())) {
			out = append(out, n)
		}
	}
	return out
}

// extent is the range of both axes in powers of ten, with a margin.
func (r *roofline) extent() (xlo, xhi, ylo, yhi float64) {
	var xs, ys []float64
	for _, l := range r.lines() {
		xs, ys = append(xs, l.xs...), append(ys, l.ys...)
	}
	for _, p := range r.points {
		xs, ys = append(xs, p.x), append(ys, p.y)
	}
	span := func(vs []float64) (lo, hi float64) {
		lo, hi = math.Inf(1), math.Inf(-1)
		for _, v := range vs {
			lo, hi = min(lo, math.Log10(v)), max(hi, math.Log10(v))
		}
		if hi-lo < 1 { // one power of ten at least, so that there is a tick
			return lo - 0.5, hi + 0.5
		}
		return lo - 0.06*(hi-lo), hi + 0.06*(hi-lo)
	}
	xlo, xhi = span(xs)
	ylo, yhi = span(ys)
	return xlo, xhi, ylo, yhi
}

// decade prints a power of ten.
func decade(d float64) string { return Pretty(math.Pow(10, d)) }

// labels remembers where text stands.
type labels [][3]float64 // x, y, width

// free reports whether a text of n letters fits, and takes its place if it does.
func (l *labels) free(x, y float64, n int) bool {
	w := labelWidth * float64(n)
	for _, o := range *l {
		if math.Abs(o[1]-y) < labelDistance && x < o[0]+o[2] && o[0] < x+w {
			return false
		}
	}
	*l = append(*l, [3]float64{x, y, w})
	return true
}
