package buslog

import (
	"bufio"
	"errors"
	"fmt"
	"github.com/causeway-sim/causeway/memory/dram/standard"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Log is the commands of a device.
type Log struct {
	grade    *standard.Grade
	timing   map[string]int // in place of those of the grade
	channels [][]logged
}

// logged is a Record in less space.
type logged struct {
	at       int64
	row, col uint32
	cmd      standard.Command
	bank     uint8
}

// NewLog makes the log of a device of a grade; timing replaces timings of the grade, in clocks.
func NewLog(g *standard.Grade, timing map[string]int) *Log { return &Log{grade: g, timing: timing} }

// Channel adds a channel to the log, and returns a function to call with each of its commands.
func (l *Log) Channel() func(at int64, cmd standard.Command, bank int, row, col uint32) {
	n := len(l.channels)
	l.channels = append(l.channels, nil)
	return func(at int64, cmd standard.Command, bank int, row, col uint32) {
		l.channels[n] = append(l.channels[n], logged{at, row, col, cmd, uint8(bank)})
	}
}

// WriteTo writes the log in the form of CheckLog: the device, with the text of a standard that is
// not built in, then channel by channel the commands in order of time, a Record each.
func (l *Log) WriteTo(out io.Writer) (int64, error) {
	w := &counted{w: bufio.NewWriter(out)}
	w.printf("# clock of %s, command, rank, group, bank, row, column\n", l.grade.Clock)
	for line := range strings.Lines(l.grade.Text()) {
		w.printf("standard %s\n", strings.TrimSuffix(line, "\n"))
	}
	w.printf("grade %s\nranks %d\n", l.grade.Name, l.grade.Organisation.Ranks)
	if l.grade.WCK != standard.AlwaysOn {
		w.printf("wck %s\n", l.grade.WCK)
	}
	for _, name := range slices.Sorted(maps.Keys(l.timing)) {
		w.printf("timing %s %d\n", name, l.timing[name])
	}
	o := l.grade.Organisation
	n := 0
	for i, list := range l.channels {
		w.printf("channel %d\n", i)
		for _, r := range list {
			w.printf("%s\n", NewRecord(&o, r.at, r.cmd, int(r.bank), r.row, r.col))
		}
		n += len(list)
	}
	w.printf("end %d\n", n)
	if w.err == nil {
		w.err = w.w.Flush()
	}
	return w.n, w.err
}

// counted is a writer that remembers its first error.
type counted struct {
	w   *bufio.Writer
	n   int64
	err error
}

func (w *counted) printf(format string, args ...any) {
	if w.err == nil {
		n, err := fmt.Fprintf(w.w, format, args...)
		w.n, w.err = w.n+int64(n), err
	}
}

// A Checked counts the legal commands of a log.
type Checked struct {
	Grade    string
	Ranks    int
	Channels int
	Commands uint64
	By       [standard.MostCommands]uint64 // by command
	Names    []string                      // of the commands
	Last     int64                         // clock of the last command of any channel
}

// logReader is the state of CheckLog.
type logReader struct {
	seen    Checked
	grade   *standard.Grade
	own     strings.Builder // text of a standard that is not built in
	timing  map[string]int
	wck     string
	checker *Checker
	ended   bool
}

// ErrIllegal is wrapped by the error of an illegal command.
var ErrIllegal = errors.New("illegal command")

// CheckLog reads a Log and verifies it with a Checker per channel. The error has file and line of
// the first fault; Checked counts the commands before it.
func CheckLog(name string, in io.Reader) (Checked, error) {
	l := logReader{timing: map[string]int{}}
	l.seen.Ranks = 1
	s := bufio.NewScanner(in)
	line := 1
	for ; s.Scan(); line++ {
		text := strings.TrimSpace(s.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		if own, ok := strings.CutPrefix(s.Text(), "standard "); ok {
			l.own.WriteString(own + "\n")
			continue
		}
		if err := l.line(text); err != nil {
			return l.seen, fmt.Errorf("%s:%d: %w", name, line, err)
		}
	}
	if err := s.Err(); err != nil {
		return l.seen, fmt.Errorf("%s:%d: %w", name, line, err)
	}
	if !l.ended {
		return l.seen, fmt.Errorf("%s:%d: the file is cut short: it has no line end", name, line)
	}
	return l.seen, nil
}

func (l *logReader) line(text string) error {
	if l.ended {
		return fmt.Errorf("a line after the end")
	}
	w := strings.Fields(text)
	switch w[0] {
	case "grade", "ranks", "timing", "wck":
		return l.device(w)
	case "channel":
		return l.channel(w)
	case "end":
		n, err := number(w, 2, 1<<62)
		if err != nil {
			return err
		}
		if uint64(n) != l.seen.Commands {
			return fmt.Errorf("there were %d commands, %d are announced", l.seen.Commands, n)
		}
		l.ended = true
		return nil
	}
	if l.checker == nil {
		return fmt.Errorf("a command before the first channel (want one of: grade, ranks, timing, wck, channel)")
	}
	r, err := parseRecord(text, l.seen.Names)
	if err != nil {
		return err
	}
	if err := l.checker.Check(r); err != nil {
		return fmt.Errorf("%w: %w", ErrIllegal, err)
	}
	l.seen.Commands++
	l.seen.By[r.Cmd]++
	l.seen.Last = max(l.seen.Last, r.At)
	return nil
}

// device reads what the device is like.
func (l *logReader) device(w []string) error {
	if l.seen.Channels > 0 {
		return fmt.Errorf("%s after the first channel", w[0])
	}
	switch w[0] {
	case "grade":
		var err error
		if l.grade, err = l.find(strings.Join(w[1:], " ")); err != nil {
			return err
		}
		l.seen.Grade = l.grade.Name
	case "ranks":
		n, err := number(w, 2, 64)
		if err != nil {
			return err
		}
		l.seen.Ranks = int(n)
	case "wck":
		if len(w) != 2 || !slices.Contains(standard.WCKNames, w[1]) {
			return fmt.Errorf("no mode of the data clock (want one of: %s)", strings.Join(standard.WCKNames, ", "))
		}
		l.wck = w[1]
	case "timing":
		n, err := number(w, 3, 1<<30)
		if err != nil {
			return err
		}
		l.timing[w[1]] = int(n)
	}
	return nil
}

// find returns a grade of the standard in the log, or a built-in one.
func (l *logReader) find(name string) (*standard.Grade, error) {
	names := standard.Grades()
	if l.own.Len() > 0 {
		gs, err := standard.Read("standard", []byte(l.own.String()))
		if err != nil {
			return nil, err
		}
		names = nil
		for _, g := range gs {
			if g.Name == name {
				return g, nil
			}
			names = append(names, g.Name)
		}
	} else if g, ok := standard.Find(name); ok {
		return g, nil
	}
	return nil, fmt.Errorf("no grade %q (want one of: %s)", name, strings.Join(names, ", "))
}

// channel begins the next channel.
func (l *logReader) channel(w []string) error {
	n, err := number(w, 2, 1<<30)
	switch {
	case err != nil:
		return err
	case l.grade == nil:
		return fmt.Errorf("no grade was named before the first channel")
	case int(n) != l.seen.Channels:
		return fmt.Errorf("channel %d, want %d", n, l.seen.Channels)
	}
	if l.seen.Channels == 0 {
		g := *l.grade
		g.Organisation.Ranks = l.seen.Ranks
		if err := g.Organisation.Check(); err != nil {
			return err
		}
		if l.grade, err = g.With(l.timing); err != nil {
			return err
		}
		if l.wck == standard.OnAccess.String() {
			if l.grade, err = l.grade.Synced(); err != nil {
				return err
			}
		}
	}
	l.seen.Names = l.grade.Names()
	l.seen.Channels++
	l.checker = NewChecker(l.grade)
	return nil
}

// number is the last of some words.
func number(w []string, words int, most int64) (int64, error) {
	if len(w) != words {
		return 0, fmt.Errorf("%d words (want %d)", len(w), words)
	}
	n, err := strconv.ParseInt(w[words-1], 10, 64)
	if err != nil || n < 0 || n > most {
		return 0, fmt.Errorf("%q is no number from 0 to %d", w[words-1], most)
	}
	return n, nil
}
