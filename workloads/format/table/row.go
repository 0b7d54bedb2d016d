package table

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/causeway-sim/causeway/workloads/format"
)

// A cell is one trimmed field of a separated text and where it starts.
type cell struct {
	text string
	col  int // in characters, from 1
}

// A row is one line that has something in it.
type row struct {
	line  int
	cells []cell
}

// at is cell i, or an empty one after the end of the line.
func (r row) at(i int) cell {
	if i < len(r.cells) {
		return r.cells[i]
	}
	end := 1
	if n := len(r.cells); n > 0 {
		end = r.cells[n-1].col + utf8.RuneCountInString(r.cells[n-1].text)
	}
	return cell{col: end}
}

// empty reports whether every cell is empty.
func (r row) empty() bool {
	for _, c := range r.cells {
		if c.text != "" {
			return false
		}
	}
	return true
}

// splitRows cuts a text into rows of cells. It takes LF, CRLF and CR, drops a
// byte order mark and lines without content, and trims white space (the
// non-breaking kind too). The separator is the first of comma, semicolon and
// tab that stands in the first line with content.
func splitRows(data []byte) []row {
	data = bytes.TrimPrefix(data, format.UTF8BOM)
	var rows []row
	var sep rune
	for line := 1; len(data) > 0; line++ {
		n := bytes.IndexAny(data, "\r\n")
		text := data
		if n < 0 {
			data = nil
		} else {
			text = data[:n]
			if data[n] == '\r' && n+1 < len(data) && data[n+1] == '\n' {
				n++
			}
			data = data[n+1:]
		}
		s := strings.ToValidUTF8(string(text), "\uFFFD")
		if strings.TrimSpace(s) == "" {
			continue
		}
		if sep == 0 {
			sep = separator(s)
		}
		if r := (row{line, splitCells(s, sep)}); !r.empty() {
			rows = append(rows, r)
		}
	}
	return rows
}

func separator(s string) rune {
	for _, c := range ",;\t" {
		if strings.ContainsRune(s, c) {
			return c
		}
	}
	return ','
}

// splitCells cuts one line. A cell in double quotes may hold the separator.
func splitCells(s string, sep rune) []cell {
	var cells []cell
	for col := 1; ; {
		// skip white space in front, which a tab separator is not
		for s != "" {
			c, n := utf8.DecodeRuneInString(s)
			if c == sep || !unicode.IsSpace(c) {
				break
			}
			s, col = s[n:], col+1
		}
		end := strings.IndexRune(s, sep)
		if strings.HasPrefix(s, `"`) {
			if q := strings.IndexByte(s[1:], '"'); q >= 0 {
				end = strings.IndexRune(s[q+2:], sep)
				if end >= 0 {
					end += q + 2
				}
			}
		}
		field := s
		if end >= 0 {
			field = s[:end]
		}
		cells = append(cells, cell{strings.Trim(strings.TrimSpace(field), `"`), col})
		if end < 0 {
			return cells
		}
		col += utf8.RuneCountInString(s[:end]) + 1
		s = s[end+utf8.RuneLen(sep):]
	}
}
