package draw

import (
	"encoding/base64"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// The letters of every figure are in its SVG, with the outlines and widths of the font that
// it was laid out with, and no others: a tenth of the font at most.
func TestLettersAreInTheFigure(t *testing.T) {
	inside := regexp.MustCompile(`@font-face\{font-family:'([^']*)';src:url\(data:font/ttf;base64,([^)]*)\)`)
	whole := font.DefaultCache.Lookup(font.Font{Typeface: "Liberation", Variant: "Serif"}, vg.Points(8)).Face
	for _, f := range samples {
		f.X.Name, f.Y.Name = "µ é × Ω", "é" // é is made of two glyphs
		svg, err := Render(f, 8.5*vg.Centimeter, "svg")
		require.NoError(t, err)
		m := inside.FindAllSubmatch(svg, -1)
		require.Len(t, m, 1, f.Name)
		for _, use := range fontName.FindAllString(string(svg[len(m[0][0]):]), -1) {
			require.Contains(t, use, "font-family:'"+string(m[0][1])+"'")
		}
		ttf, err := base64.StdEncoding.DecodeString(string(m[0][2]))
		require.NoError(t, err)
		require.Less(t, len(ttf), 39_000)
		part, err := sfnt.Parse(ttf)
		require.NoError(t, err)
		name, err := part.Name(nil, sfnt.NameIDFamily)
		require.NoError(t, err)
		require.Equal(t, family, name)
		said := map[rune]bool{}
		for _, text := range texts.FindAllSubmatch(svg, -1) {
			for _, r := range string(text[1]) {
				said[r] = true
			}
		}
		require.Contains(t, said, 'é', f.Name)
		for r := range said {
			sameLetter(t, whole, part, r)
		}
		other, err := part.GlyphIndex(nil, '@')
		require.NoError(t, err)
		require.Zero(t, other, "no figure says @")
	}
}

func sameLetter(t *testing.T, a, b *sfnt.Font, r rune) {
	const em = fixed.Int26_6(2048 << 6)
	var bufs [2]sfnt.Buffer // outlines lie in them
	var outlines [2]sfnt.Segments
	var widths [2]fixed.Int26_6
	for i, f := range []*sfnt.Font{a, b} {
		g, err := f.GlyphIndex(&bufs[i], r)
		require.NoError(t, err)
		require.NotZero(t, g, "%q", r)
		outlines[i], err = f.LoadGlyph(&bufs[i], g, em, nil)
		require.NoError(t, err, "%q", r)
		widths[i], err = f.GlyphAdvance(&bufs[i], g, em, 0)
		require.NoError(t, err)
	}
	require.Equal(t, outlines[0], outlines[1], "%q", r)
	require.Equal(t, widths[0], widths[1], "%q", r)
}

// What is no font is refused.
func TestNoFont(t *testing.T) {
	for _, b := range [][]byte{nil, []byte("hello, world"), {0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}} {
		_, err := subset(b, nil, "x")
		require.ErrorContains(t, err, "no TrueType font")
	}
}
