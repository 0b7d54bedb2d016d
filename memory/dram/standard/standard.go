package standard

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/address"
)

// A Level is the part of a channel in which a constraint holds.
type Level uint8

// The levels, from the widest.
const (
	ChannelLevel Level = iota
	RankLevel
	GroupLevel
	BankLevel
	OtherRanks // between ranks of a channel
)

var levelNames = []string{"channel", "rank", "group", "bank", "other ranks"}

func (l Level) String() string { return levelNames[l] }

// A Constraint is a least distance of commands: at one Level a command of Next comes at least
// Clocks after the Window-th last command of Prev, 1 being the last.
type Constraint struct {
	Level      Level
	Prev, Next []Command
	Clocks     int
	Window     int
	Formula    string // source of Clocks
}

// An Organisation is the structure of a channel.
type Organisation struct {
	Width   int `json:"width"`   // data pins of the channel (of a pseudo channel, where there are some)
	Device  int `json:"device"`  // data pins of one chip
	Beats   int `json:"beats"`   // transfers of one burst
	Pseudo  int `json:"pseudo"`  // pseudo channels of a channel; 0 is 1
	Ranks   int `json:"ranks"`   // per channel
	Groups  int `json:"groups"`  // bank groups per rank
	Banks   int `json:"banks"`   // per group
	Rows    int `json:"rows"`    // per bank
	Columns int `json:"columns"` // of Width bits, per row
}

// Burst returns the bytes of one column command.
func (o Organisation) Burst() int { return o.Width * o.Beats / 8 }

// Geometry returns the address bits of each field, for a device of so many channels.
func (o Organisation) Geometry(channels int) address.Geometry {
	log := func(n int) uint8 { return uint8(bits.Len(uint(n)) - 1) }
	return address.Geometry{
		address.Channel: log(channels * max(o.Pseudo, 1)), address.Rank: log(o.Ranks), address.BankGroup: log(o.Groups),
		address.Bank: log(o.Banks), address.Row: log(o.Rows), address.Column: log(o.Columns / o.Beats),
	}
}

// A Grade is one kind of DRAM at one speed.
type Grade struct {
	Name         string
	Source       string // of the values
	Standard     string // of the constraints
	Clock        units.Frequency
	Organisation Organisation
	Timing       map[string]int // clocks, by names of the standard without t
	Slots        [Commands]int  // clocks on the command bus; 0: no such command
	Row, Column  []Command      // separate command buses; both nil for one bus
	Constraints  []Constraint
	Current      *Current       // nil without a source
	Figures      *EnergyFigures // energies in place of currents; nil for most grades
	Hold         [2]int         // clocks that the data clock runs on after a read, and a write; 0: no data clock
	WCK          WCK            // when the data clock runs

	clocks map[string]int // the constraints as written
	rows   [][]any
	sync   map[string]string // Hold as written
}

// With returns the grade with other timings, in clocks, by name without t, and constraints
// computed from them. The error is an unknown or impossible timing.
func (g *Grade) With(timing map[string]int) (*Grade, error) {
	out := *g
	out.Timing = maps.Clone(g.Timing)
	for name, n := range timing {
		if _, ok := g.Timing[name]; !ok {
			return nil, fmt.Errorf("%s has no timing %q (want one of: %s)", g.Name, name, strings.Join(slices.Sorted(maps.Keys(g.Timing)), ", "))
		}
		if n < 0 || n > 1<<30 {
			return nil, fmt.Errorf("timing %s of %d clocks", name, n)
		}
		out.Timing[name] = n
	}
	out.Constraints = nil
	return &out, out.constrain()
}

//go:embed grades/*.jsonc
var files embed.FS

// file is a standard as written.
type file struct {
	Source      string            `json:"source"`
	Clocks      map[string]int    `json:"clocks"`
	Buses       map[string]string `json:"buses"`
	Constraints [][]any           `json:"constraints"`
	Sync        map[string]string `json:"sync"`
	Grades      map[string]struct {
		Source       string         `json:"source"`
		Clock        string         `json:"clock"`
		Organisation Organisation   `json:"organisation"`
		Timing       map[string]int `json:"timing"`
		Current      *Current       `json:"current"`
		Figures      *EnergyFigures `json:"energy"`
	} `json:"grades"`
}

// standards is the built-in files, each read when Find first looks up a grade of it:
// programs that use none pay for none.
var standards = func() (all []*builtIn) {
	names, _ := fs.Glob(files, "grades/*.jsonc") // the pattern is well-formed
	for _, name := range names {
		b := &builtIn{name: name}
		b.text, _ = files.ReadFile(name) // embedded
		b.grades = sync.OnceValue(func() []*Grade {
			gs, err := Read(b.text)
			if err != nil {
				panic(fmt.Sprintf("dram: %s: %s", name, err))
			}
			return gs
		})
		all = append(all, b)
	}
	return all
}()

type builtIn struct {
	name   string // of the file
	text   []byte
	grades func() []*Grade
}

// Find returns a built-in grade, which callers must not change; ok is false for an unknown name.
func Find(name string) (*Grade, bool) {
	key := []byte(strconv.Quote(name))
	for _, b := range standards {
		if !bytes.Contains(b.text, key) {
			continue
		}
		for _, g := range b.grades() {
			if g.Name == name {
				return g, true
			}
		}
	}
	return nil, false
}

// Read parses the description of a standard, in the form of the files in grades, and returns its
// grades sorted by name. The error names what is missing or wrong.
func Read(text []byte) ([]*Grade, error) {
	var f file
	if err := decodeJSONC(text, &f); err != nil {
		return nil, err
	}
	var out []*Grade
	for name, in := range f.Grades {
		g := &Grade{Name: name, Source: in.Source, Standard: f.Source, Organisation: in.Organisation, Timing: in.Timing, Current: in.Current, Figures: in.Figures, clocks: f.Clocks, rows: f.Constraints, sync: f.Sync}
		var err error
		if g.Clock, err = units.ParseFrequency(in.Clock); err != nil {
			return nil, fmt.Errorf("grade %s: %w", name, err)
		}
		if err := g.Organisation.Check(); err != nil {
			return nil, fmt.Errorf("grade %s: %w", name, err)
		}
		for bus, to := range map[string]*[]Command{"row": &g.Row, "column": &g.Column} {
			if *to, err = commands(f.Buses[bus]); err != nil {
				return nil, fmt.Errorf("bus %s: %w", bus, err)
			}
		}
		if err := g.constrain(); err != nil {
			return nil, fmt.Errorf("grade %s: %w", name, err)
		}
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b *Grade) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

func (o Organisation) Check() error {
	for _, x := range []struct {
		name string
		n    int
	}{{"width", o.Width}, {"device", o.Device}, {"beats", o.Beats}, {"pseudo", max(o.Pseudo, 1)}, {"ranks", o.Ranks}, {"groups", o.Groups}, {"banks", o.Banks}, {"rows", o.Rows}, {"columns", o.Columns}} {
		if x.n < 1 || x.n > 1<<24 || x.n&(x.n-1) != 0 {
			return fmt.Errorf("%s is %d (want a power of two)", x.name, x.n)
		}
	}
	if o.Columns < o.Beats || o.Width < 8 || max(o.Ranks, o.Groups, o.Banks) > 64 || o.Ranks*o.Groups*o.Banks > 64 {
		return fmt.Errorf("%+v does not make a channel (want columns >= beats, width >= 8, at most 64 banks)", o)
	}
	return nil
}

func commands(text string) ([]Command, error) {
	var out []Command
	for _, w := range strings.Fields(text) {
		c, ok := ParseCommand(w)
		if !ok {
			return nil, fmt.Errorf("no command %q (want one of: %s)", w, strings.Join(CommandNames[:], ", "))
		}
		out = append(out, c)
	}
	return out, nil
}

// constrain evaluates the constraints. Delays are between the last clocks of
// two commands; what is kept is between the first.
func (g *Grade) constrain() error {
	for _, t := range []string{"BL", "CL", "CWL", "RFC", "REFI"} {
		if g.Timing[t] <= 0 {
			return fmt.Errorf("no timing %s", t)
		}
	}
	for name, n := range g.clocks {
		c, ok := ParseCommand(name)
		if !ok || n < 1 || n > 4 {
			return fmt.Errorf("clocks: %s: %d", name, n)
		}
		g.Slots[c] = n
	}
	for _, row := range g.rows {
		x, err := g.constraint(row)
		if err != nil {
			return err
		}
		for _, c := range slices.Concat(x.Prev, x.Next) {
			if g.Slots[c] == 0 {
				g.Slots[c] = 1
			}
		}
		g.Constraints = append(g.Constraints, x)
	}
	g.expand()
	return g.hold()
}

// constraint reads a row of the table.
func (g *Grade) constraint(row []any) (Constraint, error) {
	word := make([]string, 5)
	if len(row) != 4 && len(row) != 5 {
		return Constraint{}, fmt.Errorf("%v is no constraint (want level, preceding, following, clocks and, if not 1, window)", row)
	}
	for i := range row {
		word[i] = fmt.Sprint(row[i])
	}
	level := slices.Index(levelNames, word[0])
	prev, err1 := commands(word[1])
	next, err2 := commands(word[2])
	n, err3 := formula(word[3], g.Timing)
	window := 1
	if len(row) == 5 {
		window, _ = strconv.Atoi(word[4])
	}
	for _, err := range []error{err1, err2, err3} {
		if err != nil {
			return Constraint{}, fmt.Errorf("%v: %w", row, err)
		}
	}
	if level < 0 || window < 1 || window > 16 || len(prev) == 0 || len(next) == 0 {
		return Constraint{}, fmt.Errorf("%v is no constraint", row)
	}
	return Constraint{Level(level), prev, next, n, window, word[3]}, nil
}

// expand splits constraints until the lengths of the commands on both sides are
// equal, adjusts them by these lengths and drops those that are void.
func (g *Grade) expand() {
	var out []Constraint
	for _, c := range g.Constraints {
		type lengths struct{ prev, next int }
		var done []lengths
		for _, p := range c.Prev {
			for _, n := range c.Next {
				l := lengths{g.Slots[p], g.Slots[n]}
				clocks := c.Clocks + l.prev - l.next
				if slices.Contains(done, l) || clocks <= 0 {
					continue
				}
				done = append(done, l)
				pick := func(cs []Command, slots int) []Command {
					return slices.DeleteFunc(slices.Clone(cs), func(c Command) bool { return g.Slots[c] != slots })
				}
				out = append(out, Constraint{c.Level, pick(c.Prev, l.prev), pick(c.Next, l.next), clocks, c.Window, c.Formula})
			}
		}
	}
	g.Constraints = out
}
