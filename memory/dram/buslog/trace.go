package buslog

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// A Record is one command of a channel. For commands to several banks Group and Bank are those of
// the first.
type Record struct {
	At                int64 // clock
	Cmd               standard.Command
	Rank, Group, Bank int
	Row, Col          uint32 // 0 if the command has none
}

// String returns a line of a command trace: clock, command, rank, group, bank, row, column.
func (r Record) String() string {
	return r.text(standard.CommandNames[:])
}

// text is String with the names of the commands of a standard.
func (r Record) text(names []string) string {
	return fmt.Sprintf("%d %s %d %d %d %d %d", r.At, names[r.Cmd], r.Rank, r.Group, r.Bank, r.Row, r.Col)
}

// NewRecord returns the Record of a command to a bank, by its number in the channel.
func NewRecord(o *standard.Organisation, at int64, cmd standard.Command, bank int, row, col uint32) Record {
	g := bank / o.Banks
	return Record{at, cmd, g / o.Groups, g % o.Groups, bank % o.Banks, row, col}
}

// Read calls f with each line of a command trace, in the form of Record.String, of the commands that
// the controller sends. It skips empty
// lines and lines that begin with #. Errors have file and line; an error of f ends the reading.
func Read(name string, in io.Reader, f func(Record) error) error {
	s := bufio.NewScanner(in)
	for line := 1; s.Scan(); line++ {
		text := strings.TrimSpace(s.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		r, err := parseRecord(text, standard.CommandNames[:])
		if err == nil {
			err = f(r)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, line, err)
		}
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// parseRecord reads a line of a trace, given the names of the commands.
func parseRecord(text string, names []string) (r Record, err error) {
	w := strings.Fields(text)
	if len(w) != 7 {
		return r, fmt.Errorf("%d values (want clock, command, rank, group, bank, row, column)", len(w))
	}
	cmd := slices.Index(names, w[1])
	if cmd < 0 {
		return r, fmt.Errorf("no command %q (want one of: %s)", w[1], strings.Join(names, ", "))
	}
	r.Cmd = standard.Command(cmd)
	var v [7]int64
	for i, x := range w {
		if i == 1 {
			continue
		}
		if v[i], err = strconv.ParseInt(x, 10, 64); err != nil || v[i] < 0 || i > 1 && v[i] >= 1<<32 {
			return r, fmt.Errorf("%q is no %s", x, [...]string{"clock", "", "rank", "group", "bank", "row", "column"}[i])
		}
	}
	r.At, r.Rank, r.Group, r.Bank, r.Row, r.Col = v[0], int(v[2]), int(v[3]), int(v[4]), uint32(v[5]), uint32(v[6])
	return r, nil
}
