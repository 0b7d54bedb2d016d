package address

import (
	"fmt"
	"strings"
)

// hashed spreads strides over channels, bank groups and banks, with neighbouring bursts in
// all channels and bank groups in turns. Above the lowest bits of the column that are left
// as they are, a field of n bits is permuted by pieces of the column and the row that begin
// n or more bits apart. The fields' pieces begin at other distances, so that what one of
// them leaves in one bank another spreads.
//
// assumption: the functions of controllers are not public; those that were measured permute
// each bit of channel, group and bank by several bits of the row (Pessl et al., DRAMA,
// USENIX Security 2016).
func hashed(g Geometry, low uint8) string {
	ch, bg, ba := g[Channel], g[BankGroup], g[Bank]
	return "Ro-Ba" + fold(g, Bank, Row, 0, ba+1) +
		"-Ra-Co-BG" + fold(g, BankGroup, Column, low, bg+1) + fold(g, BankGroup, Row, 0, bg+2) +
		"-Ch" + fold(g, Channel, Column, low+1, ch) + fold(g, Channel, Row, 2, ch+2) + fmt.Sprintf("-Co:%d", low)
}

// fold permutes a field by pieces of another, from bit at on, at equal distances.
func fold(g Geometry, field, by Field, at, every uint8) string {
	if g[field] == 0 {
		return ""
	}
	var b strings.Builder
	for ; at < g[by]; at += every {
		fmt.Fprintf(&b, "^%s[%d]", by, at)
	}
	return b.String()
}

// hashedText is the expression of hashed, and of hashed-Co:n, which keeps 2^n bursts of a row
// together; any other text is returned as it is.
func hashedText(text string, g Geometry) (string, error) {
	if text == "hashed" {
		return hashed(g, 0), nil
	}
	n, ok := strings.CutPrefix(text, "hashed-Co:")
	if !ok {
		return text, nil
	}
	low, err := number(n)
	if err == nil && low > int(g[Column]) {
		err = fmt.Errorf("%s has %d bits", "Co", g[Column])
	}
	if err != nil {
		return "", fmt.Errorf("column 11: %w", err)
	}
	return hashed(g, uint8(low)), nil
}
