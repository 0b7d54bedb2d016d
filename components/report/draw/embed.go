package draw

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"regexp"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// family is what the letters of a figure are called in its SVG. They are those of a font
// with a reserved name, cut down to what the figure says.
const family = "Causeway Figure"

var (
	texts    = regexp.MustCompile(`<text[^>]*>([^<]*)</text>`)
	fontName = regexp.MustCompile(`font-family:[^;"]*`)
	prolog   = regexp.MustCompile(`<svg[^>]*>`)
)

// embed puts the letters of an SVG into it, so that it looks everywhere as it was laid out.
// All of it is in one font.
func embed(svg []byte, f font.Font) ([]byte, error) {
	face := font.DefaultCache.Lookup(f, vg.Points(8))
	glyphs := map[rune]uint16{}
	for _, m := range texts.FindAllSubmatch(svg, -1) {
		for _, r := range html.UnescapeString(string(m[1])) {
			g, err := face.Face.GlyphIndex(nil, r)
			if err != nil {
				return nil, err
			}
			if g != 0 { // else a font of the viewer has to
				glyphs[r] = uint16(g)
			}
		}
	}
	var whole bytes.Buffer
	if _, err := face.Face.WriteSourceTo(nil, &whole); err != nil {
		return nil, err
	}
	part, err := subset(whole.Bytes(), glyphs, family)
	if err != nil {
		return nil, err
	}
	at := prolog.FindIndex(svg)
	if at == nil {
		return nil, fmt.Errorf("a figure without <svg>")
	}
	style := fmt.Sprintf("\n<defs><style>@font-face{font-family:'%s';src:url(data:font/ttf;base64,%s) format('truetype')}</style></defs>",
		family, base64.StdEncoding.EncodeToString(part))
	named := fontName.ReplaceAllFunc(svg[at[1]:], func(old []byte) []byte {
		return []byte("font-family:'" + family + "'," + string(old[len("font-family:"):]) + ",serif")
	})
	return bytes.Join([][]byte{svg[:at[1]], []byte(style), named}, nil), nil
}
