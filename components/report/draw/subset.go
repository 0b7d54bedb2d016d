package draw

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"unicode/utf16"
)

// subset cuts a TrueType font down to some glyphs and names it family. Outlines and widths
// stay; instructions for low resolutions, kerning and the tables of features go. A rune
// maps to a glyph of the font by glyphs.
//
// Reference: OpenType specification 1.9, chapters glyf, loca, cmap, head.
func subset(font []byte, glyphs map[rune]uint16, family string) ([]byte, error) {
	f, err := readTables(font)
	if err != nil {
		return nil, err
	}
	old := f.closure(glyphs)
	at := map[uint16]uint16{} // of an old glyph
	for i, g := range old {
		at[g] = uint16(i)
	}
	var glyf, loca, hmtx []byte
	metrics := int(be.Uint16(f["hhea"][34:]))
	for _, g := range old {
		loca = be.AppendUint32(loca, uint32(len(glyf)))
		outline := f.glyph(g)
		if len(outline) > 0 {
			outline = plain(outline, at)
		}
		glyf = append(glyf, padded(outline)...)
		hmtx = append(hmtx, f["hmtx"][4*min(int(g), metrics-1):][:2]...)
		if int(g) < metrics {
			hmtx = append(hmtx, f["hmtx"][4*int(g)+2:][:2]...)
		} else {
			hmtx = append(hmtx, f["hmtx"][4*metrics+2*(int(g)-metrics):][:2]...)
		}
	}
	out := tables{"glyf": glyf, "loca": be.AppendUint32(loca, uint32(len(glyf))), "hmtx": hmtx,
		"OS/2": f["OS/2"], "cmap": cmapOf(glyphs, at), "name": nameOf(family),
		"head": slices.Clone(f["head"]), "hhea": slices.Clone(f["hhea"]), "maxp": slices.Clone(f["maxp"]), "post": slices.Clone(f["post"][:32])}
	be.PutUint16(out["head"][50:], 1) // offsets of 32 bits
	be.PutUint16(out["hhea"][34:], uint16(len(old)))
	be.PutUint16(out["maxp"][4:], uint16(len(old)))
	be.PutUint32(out["post"], 0x00030000) // glyphs have no names
	return out.write(), nil
}

var be = binary.BigEndian

// tables are those of a font by tag.
type tables map[string][]byte

func readTables(font []byte) (tables, error) {
	bad := errors.New("the font is no TrueType font with outlines")
	if len(font) < 12 {
		return nil, bad
	}
	out := tables{}
	for i := range int(be.Uint16(font[4:])) {
		r := font[min(12+16*i, len(font)):]
		if len(r) < 16 {
			return nil, bad
		}
		from, size := uint64(be.Uint32(r[8:])), uint64(be.Uint32(r[12:]))
		if from+size > uint64(len(font)) {
			return nil, bad
		}
		out[string(r[:4])] = font[from : from+size]
	}
	for tag, least := range map[string]int{"glyf": 1, "loca": 4, "hmtx": 4, "OS/2": 1, "head": 54, "hhea": 36, "maxp": 6, "post": 32} {
		if len(out[tag]) < least {
			return nil, bad
		}
	}
	return out, nil
}

// glyph is the outline of a glyph, empty for a blank.
func (f tables) glyph(g uint16) []byte {
	loca, i := f["loca"], int(g)
	if be.Uint16(f["head"][50:]) == 0 {
		return f["glyf"][2*int(be.Uint16(loca[2*i:])) : 2*int(be.Uint16(loca[2*i+2:]))]
	}
	return f["glyf"][be.Uint32(loca[4*i:]):be.Uint32(loca[4*i+4:])]
}

// closure is the glyphs with those that they are made of and the one for what is missing,
// in order.
func (f tables) closure(glyphs map[rune]uint16) []uint16 {
	todo := append(slices.Collect(maps.Values(glyphs)), 0)
	seen := map[uint16]bool{}
	for len(todo) > 0 {
		g := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[g] {
			continue
		}
		seen[g] = true
		if o := f.glyph(g); len(o) > 0 && composite(o) {
			components(o, func(c []byte, _ bool) { todo = append(todo, be.Uint16(c[2:])) })
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

func composite(outline []byte) bool { return int16(be.Uint16(outline)) < 0 }

// Flags of a component of a composite glyph.
const (
	argsAreWords = 1 << 0
	hasScale     = 1 << 3
	hasMore      = 1 << 5
	hasTwoScales = 1 << 6
	hasMatrix    = 1 << 7
	hasCode      = 1 << 8
)

// components calls each with the components of a composite glyph.
func components(outline []byte, each func(c []byte, last bool)) {
	for at := 10; ; {
		flags := be.Uint16(outline[at:])
		size := 6
		if flags&argsAreWords != 0 {
			size += 2
		}
		switch {
		case flags&hasScale != 0:
			size += 2
		case flags&hasTwoScales != 0:
			size += 4
		case flags&hasMatrix != 0:
			size += 8
		}
		each(outline[at:at+size], flags&hasMore == 0)
		if at += size; flags&hasMore == 0 {
			return
		}
	}
}

// plain is an outline without instructions, its components by their new numbers.
func plain(outline []byte, at map[uint16]uint16) []byte {
	if composite(outline) {
		out := slices.Clone(outline[:10])
		components(outline, func(c []byte, _ bool) {
			c = slices.Clone(c)
			be.PutUint16(c, be.Uint16(c)&^hasCode)
			be.PutUint16(c[2:], at[be.Uint16(c[2:])])
			out = append(out, c...)
		})
		return out
	}
	code := 10 + 2*int(be.Uint16(outline))
	return slices.Concat(outline[:code], []byte{0, 0}, outline[code+2+int(be.Uint16(outline[code:])):])
}

// cmapOf maps runes to glyphs, each in a group of its own (format 12).
func cmapOf(glyphs map[rune]uint16, at map[uint16]uint16) []byte {
	runes := slices.Sorted(maps.Keys(glyphs))
	b := []byte{0, 0, 0, 1, 0, 3, 0, 10, 0, 0, 0, 12, 0, 12, 0, 0}
	b = be.AppendUint32(b, uint32(16+12*len(runes)))
	b = be.AppendUint32(b, 0)
	b = be.AppendUint32(b, uint32(len(runes)))
	for _, r := range runes {
		b = be.AppendUint32(b, uint32(r))
		b = be.AppendUint32(b, uint32(r))
		b = be.AppendUint32(b, uint32(at[glyphs[r]]))
	}
	return b
}

// nameOf is a table with the names that a font must have, all for Windows, English.
func nameOf(family string) []byte {
	ids := []uint16{1, 2, 4, 6} // family, style, full name, PostScript name
	texts := []string{family, "Regular", family, family}
	b := be.AppendUint16(nil, 0)
	b = be.AppendUint16(b, uint16(len(ids)))
	b = be.AppendUint16(b, uint16(6+12*len(ids)))
	var all []byte
	for i, id := range ids {
		var text []byte
		for _, u := range utf16.Encode([]rune(texts[i])) {
			text = be.AppendUint16(text, u)
		}
		for _, v := range []uint16{3, 1, 0x409, id, uint16(len(text)), uint16(len(all))} {
			b = be.AppendUint16(b, v)
		}
		all = append(all, text...)
	}
	return append(b, all...)
}

// write puts the tables into a file, by tag.
func (f tables) write() []byte {
	tags := slices.Sorted(maps.Keys(f))
	n := len(tags)
	power, log := 1, 0
	for 2*power <= n {
		power, log = 2*power, log+1
	}
	out := []byte{0, 1, 0, 0}
	for _, v := range []int{n, 16 * power, log, 16 * (n - power)} {
		out = be.AppendUint16(out, uint16(v))
	}
	be.PutUint32(f["head"][8:], 0)
	from := len(out) + 16*n
	var body []byte
	head := 0
	for _, tag := range tags {
		if tag == "head" {
			head = from + len(body)
		}
		out = append(out, tag...)
		for _, v := range []uint32{sumOf(f[tag]), uint32(from + len(body)), uint32(len(f[tag]))} {
			out = be.AppendUint32(out, v)
		}
		body = append(body, padded(f[tag])...)
	}
	out = append(out, body...)
	be.PutUint32(out[head+8:], 0xb1b0afba-sumOf(out))
	return out
}

// padded fills up to 32 bits.
func padded(b []byte) []byte { return append(slices.Clip(b), make([]byte, -len(b)&3)...) }

func sumOf(b []byte) (sum uint32) {
	b = padded(b)
	for i := 0; i < len(b); i += 4 {
		sum += be.Uint32(b[i:])
	}
	return sum
}
