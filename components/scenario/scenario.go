// Package scenario runs text files that show a protocol: a system, what happens, and the log of what
// follows.
//
//	# The comment says why the case exists.
//
//	system cache
//	  nodes: ...
//
//	play
//	  0  Core reads 0x0 64
//
//	log
//	  ...
//
// A file has the three sections in this order; the lines of a section are indented. The word after system
// names the Player, which knows the words of both sections and returns the log. Run compares the log with that
// of the file, or writes it into the file again.
//
// The files of testdata are meant to be read: testdata/README.md lists them by protocol.
package scenario

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A Scenario is what a file says.
type Scenario struct {
	Why    string // the comment
	Player string // the word after system
	System []Line
	Play   []Line
	Log    string
}

// A Line is one line of a section, with its number in the file.
type Line struct {
	File string
	No   int
	Text string
}

// Words returns the words of a line.
func (l Line) Words() []string { return strings.Fields(l.Text) }

// Errorf returns an error that names the line.
func (l Line) Errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", l.File, l.No, fmt.Sprintf(format, args...))
}

// Number reads a word of the line as a whole number, of base 10 or, after 0x, 16.
func (l Line) Number(word string) (uint64, error) {
	n, err := strconv.ParseUint(word, 0, 63)
	if err != nil {
		return 0, l.Errorf("%q is no number", word)
	}
	return n, nil
}

// A Player carries a scenario out and returns its log.
type Player func(*Scenario) (log string, err error)

var sections = []string{"system", "play", "log"}

// Parse reads a file.
func Parse(file, text string) (*Scenario, error) {
	s := &Scenario{}
	at := -1 // section
	var log, why strings.Builder
	for i, raw := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		l := Line{file, i + 1, raw}
		words := l.Words()
		switch {
		case len(words) == 0:
		case at < 0 && strings.HasPrefix(raw, "#"):
			why.WriteString(strings.TrimSpace(raw[1:]) + "\n")
		case raw[0] != ' ':
			if at++; at == len(sections) || words[0] != sections[at] {
				return nil, l.Errorf("section %s (want: %s)", words[0], strings.Join(sections, ", then "))
			}
			if (at == 0) != (len(words) == 2) || len(words) > 2 {
				return nil, l.Errorf("want %q", map[bool]string{true: "system PLAYER", false: words[0]}[at == 0])
			}
			if at == 0 {
				s.Player = words[1]
			}
		case at < 0:
			return nil, l.Errorf("a line before the first section")
		case at == 0:
			s.System = append(s.System, l)
		case at == 1:
			s.Play = append(s.Play, l)
		default:
			log.WriteString(strings.TrimPrefix(strings.TrimRight(raw, " "), "  ") + "\n")
		}
	}
	if at != len(sections)-1 {
		return nil, fmt.Errorf("%s: section %s is missing", file, sections[at+1])
	}
	if why.Len() == 0 {
		return nil, fmt.Errorf("%s: no comment says why the case exists", file)
	}
	s.Why, s.Log = why.String(), log.String()
	return s, nil
}

// rewritten returns the text of a file with another log.
func rewritten(text, log string) string {
	head, _, _ := strings.Cut(text, "\nlog\n")
	var b strings.Builder
	b.WriteString(head + "\nlog\n")
	for _, l := range strings.Split(strings.TrimRight(log, "\n"), "\n") {
		b.WriteString(strings.TrimRight("  "+l, " ") + "\n")
	}
	return b.String()
}

// Run plays all files of a folder, each as a test of its own. With update it writes their logs again.
func Run(t *testing.T, dir string, update bool, players map[string]Player) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios in %s", dir)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txt"), func(t *testing.T) {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Parse(f, string(src))
			if err != nil {
				t.Fatal(err)
			}
			play := players[s.Player]
			if play == nil {
				t.Fatalf("%s: no player %q", f, s.Player)
			}
			got, err := play(s)
			if err != nil {
				t.Fatal(err)
			}
			if update {
				if err := os.WriteFile(f, []byte(rewritten(string(src), got)), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != s.Log {
				t.Errorf("%s: the log is another (go test ./components/scenario -update writes it)\n%s", f, difference(s.Log, got))
			}
		})
	}
}

// difference shows from the first line on that is another.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	first := func(x []string) string { return strings.Join(x[min(i, len(x)):min(i+6, len(x))], "\n    ") }
	return fmt.Sprintf("line %d of the log\n  want\n    %s\n  have\n    %s", i+1, first(a), first(b))
}
