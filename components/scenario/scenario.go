// Package scenario runs text files that document a protocol as tests. A file describes a system, a
// sequence of actions, and the expected log.
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
// A file has the three sections in this order; the lines of a section are indented. The word after
// system names the Player, which interprets both sections and returns the log. Run compares that
// log with the log of the file, or rewrites the file. A difference, and an error of a player, fail
// the test.
//
// testdata/README.md lists the files by protocol. Left out: the players, which are in the tests of
// this package, and units, which each player defines.
package scenario

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A Scenario is the content of a file.
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

// Words splits the line at white space.
func (l Line) Words() []string { return strings.Fields(l.Text) }

// Errorf returns an error with file and number of the line.
func (l Line) Errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", l.File, l.No, fmt.Sprintf(format, args...))
}

// Number parses a word of the line as a whole number, decimal or, after 0x, hexadecimal.
func (l Line) Number(word string) (uint64, error) {
	n, err := strconv.ParseUint(word, 0, 63)
	if err != nil {
		return 0, l.Errorf("%q is no number", word)
	}
	return n, nil
}

// A Player runs a scenario and returns its log.
type Player func(*Scenario) (log string, err error)

var sections = []string{"system", "play", "log"}

// Parse parses the text of a file. Its errors have file and line.
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

// Run runs all files of a folder, each as a subtest. With update it rewrites their logs.
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
