package standard

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/plain"
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

// levelNames is what the levels are called where a standard has no names of its own.
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
	Width   int `yaml:"width"`   // data pins of the channel (of a pseudo channel, where there are some)
	Device  int `yaml:"device"`  // data pins of one chip
	Beats   int `yaml:"beats"`   // transfers of one burst
	Pseudo  int `yaml:"pseudo"`  // pseudo channels of a channel; 0 is 1
	Ranks   int `yaml:"ranks"`   // per channel
	Groups  int `yaml:"groups"`  // bank groups per rank
	Banks   int `yaml:"banks"`   // per group
	Rows    int `yaml:"rows"`    // per bank
	Columns int `yaml:"columns"` // of Width bits, per row
	Extra   int `yaml:"-"`       // pins for check bits that are used: of Grade.Check
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
	Check        int               // pins for check bits that a channel with them has more; 0: none
	Timing       map[string]int    // clocks, by names of the standard without t
	Levels       []string          // what the levels are called, by Level
	Actions      []Action          // what the commands do, by Command
	Slots        [MostCommands]int // clocks on the command bus; 0: no such command
	Row, Column  []Command         // separate command buses; both nil for one bus
	Constraints  []Constraint
	Current      *Current       // nil without a source
	Figures      *EnergyFigures // energies in place of currents; nil for most grades
	Hold         [2]int         // clocks that the data clock runs on after a read, and a write; 0: no data clock
	WCK          WCK            // when the data clock runs

	clocks map[string]int    // the constraints as written
	rows   []Constraint      // without clocks
	sync   map[string]string // Hold as written
	text   []byte            // of the file; nil for built-in standards
}

// Text returns the file of a standard that is not built in, "" for others.
func (g *Grade) Text() string { return string(g.text) }

// mostClocks is the longest timing.
const mostClocks = 1 << 30

// With returns the grade with other timings, in clocks, by name without t, and constraints
// computed from them. The error is an unknown or impossible timing.
func (g *Grade) With(timing map[string]int) (*Grade, error) {
	out := *g
	out.Timing = maps.Clone(g.Timing)
	for name, n := range timing {
		if _, ok := g.Timing[name]; !ok {
			return nil, fmt.Errorf("%s has no timing %q (want one of: %s)", g.Name, name, strings.Join(slices.Sorted(maps.Keys(g.Timing)), ", "))
		}
		if n < 0 || n > mostClocks {
			return nil, fmt.Errorf("timing %s of %d clocks", name, n)
		}
		out.Timing[name] = n
	}
	out.Constraints = nil
	return &out, out.constrain()
}

//go:embed grades/*.yaml
var files embed.FS

// file is a standard as written.
type file struct {
	Source      string               `yaml:"source" jsonschema:"required" doc:"Document of the constraints"`
	Levels      []string             `yaml:"levels" doc:"What the standard calls the levels channel, rank, group and bank"`
	Commands    map[string]actionRow `yaml:"commands" doc:"Commands of its own, in the form of commands.yaml, and delays of others"`
	Clocks      map[string]int       `yaml:"clocks" doc:"Clocks on the command bus, by command; 1 for others"`
	Buses       map[string]string    `yaml:"buses" doc:"Commands of the row bus and of the column bus; absent: there is one bus"`
	Constraints []configs.Value      `yaml:"constraints" jsonschema:"required" doc:"Rows of level, preceding commands, following commands, clocks and, if not 1, window"`
	Sync        map[string]string    `yaml:"sync" doc:"Clocks that a data clock runs after RD and WR"`
	Grades      map[string]gradeFile `yaml:"grades" jsonschema:"required" doc:"Speed grades by name"`
}

type gradeFile struct {
	Source       string          `yaml:"source" jsonschema:"required" doc:"Document of the values"`
	Clock        units.Frequency `yaml:"clock" jsonschema:"required" doc:"Clock of the command bus"`
	Organisation Organisation    `yaml:"organisation" jsonschema:"required" doc:"Structure of a channel"`
	Check        int             `yaml:"check" jsonschema:"minimum=0" doc:"Pins for check bits that a channel with side-band ECC has more"`
	Timing       map[string]int  `yaml:"timing" jsonschema:"required" doc:"Timings in clocks, by name without t"`
	Current      *Current        `yaml:"current" doc:"Currents of a chip"`
	Figures      *EnergyFigures  `yaml:"energy" doc:"Energies of commands in place of currents"`
}

// standards is the built-in files, each read when Find first looks up a grade of it:
// programs that use none pay for none.
var standards = sync.OnceValue(func() (all []*builtIn) {
	names, _ := fs.Glob(files, "grades/*.yaml") // the pattern is well-formed
	for _, name := range names {
		b := &builtIn{name: name}
		b.text, _ = files.ReadFile(name) // embedded
		b.names = namesIn(b.text)
		b.grades = sync.OnceValue(func() []*Grade {
			gs, err := Read(b.name, b.text)
			if err != nil {
				panic(fmt.Sprintf("dram: %s", err))
			}
			for _, g := range gs {
				g.text = nil
			}
			return gs
		})
		all = append(all, b)
	}
	return all
})

type builtIn struct {
	name   string // of the file
	text   []byte
	names  []string // of the grades
	grades func() []*Grade
}

// Find returns a built-in grade, which callers must not change; ok is false for an unknown name.
func Find(name string) (*Grade, bool) {
	for _, b := range standards() {
		if !slices.Contains(b.names, name) {
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
// grades sorted by name. The text is YAML, of the part that package configs/plain reads. name is the
// file in errors, which list all that is missing or wrong.
func Read(name string, text []byte) ([]*Grade, error) {
	v, err := plain.Parse(name, text)
	if err != nil {
		return nil, err
	}
	var f file
	if err := v.Decode(&f); err != nil {
		return nil, err
	}
	var base Grade
	var errs configs.Errors
	errs.Add(base.addCommands(v.Get("commands"), f.Commands))
	errs.Add(base.nameLevels(v.Get("levels"), f.Levels))
	for bus, to := range map[string]*[]Command{"row": &base.Row, "column": &base.Column} {
		if *to, err = base.commands(f.Buses[bus]); err != nil {
			errs.Add(v.Get("buses").Get(bus).Errorf(nil, "%s", err))
		}
	}
	for _, row := range f.Constraints {
		x, err := base.constraint(row)
		errs.Add(err)
		base.rows = append(base.rows, x)
	}
	if len(errs) > 0 {
		return nil, errs.Err()
	}
	base.Standard, base.clocks, base.sync, base.text = f.Source, f.Clocks, f.Sync, text
	var out []*Grade
	for _, name := range slices.Sorted(maps.Keys(f.Grades)) {
		in, at, g := f.Grades[name], v.Get("grades").Get(name), base
		g.Name, g.Source, g.Clock, g.Organisation, g.Check, g.Timing, g.Current, g.Figures = name, in.Source, in.Clock, in.Organisation, in.Check, in.Timing, in.Current, in.Figures
		if err := g.Organisation.Check(); err != nil {
			errs.Add(at.Get("organisation").Errorf(nil, "%s", err))
			continue
		}
		if err := g.Figures.fault(g.Current); err != nil {
			errs.Add(at.Get("energy").Errorf(nil, "%s", err))
		}
		wrong := false
		for _, t := range slices.Sorted(maps.Keys(g.Timing)) {
			if n := g.Timing[t]; n < 0 || n > mostClocks {
				errs.Add(at.Get("timing").Get(t).Errorf(nil, "%d clocks (want 0 to %d)", n, mostClocks))
				wrong = true
			}
		}
		if wrong {
			continue
		}
		if err := g.constrain(); err != nil {
			errs.Add(at.Errorf(nil, "%s", err))
		}
		out = append(out, &g)
	}
	return out, errs.Err()
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

// nameLevels sets what the standard calls the levels.
func (g *Grade) nameLevels(at configs.Value, names []string) error {
	g.Levels = levelNames
	if names == nil {
		return nil
	}
	if len(names) != int(BankLevel)+1 || len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(names) {
		return at.Errorf(nil, "%d names (want four different ones, for channel, rank, group and bank)", len(names))
	}
	g.Levels = append(slices.Clone(names), "other "+names[RankLevel]+"s")
	return nil
}

func (g *Grade) commands(text string) ([]Command, error) {
	var out []Command
	for _, w := range strings.Fields(text) {
		c, ok := g.Command(w)
		if !ok {
			return nil, fmt.Errorf("no command %q (want one of: %s)", w, strings.Join(g.Names(), ", "))
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
	if err := g.delays(); err != nil {
		return err
	}
	for name, n := range g.clocks {
		c, ok := g.Command(name)
		if !ok || n < 1 || n > 4 {
			return fmt.Errorf("clocks: %s: %d", name, n)
		}
		g.Slots[c] = n
	}
	for _, row := range g.rows {
		x := row
		var err error
		if x.Clocks, err = formula(x.Formula, g.Timing); err != nil {
			return fmt.Errorf("constraint %s [%s] [%s]: %w", g.Level(x.Level), g.Words(x.Prev), g.Words(x.Next), err)
		}
		for _, c := range slices.Concat(x.Prev, x.Next) {
			if g.Slots[c] == 0 {
				g.Slots[c] = 1
			}
		}
		g.Constraints = append(g.Constraints, x)
	}
	for _, x := range g.Constraints {
		for _, c := range x.Prev {
			if x.Window > 1 && g.Slots[c] != g.Slots[x.Prev[0]] {
				return fmt.Errorf("constraint %s [%s] [%s]: a window counts commands of as many clocks, and %s takes %d, %s %d", g.Level(x.Level), g.Words(x.Prev), g.Words(x.Next), g.Actions[x.Prev[0]].Name, g.Slots[x.Prev[0]], g.Actions[c].Name, g.Slots[c])
			}
		}
	}
	g.expand()
	return g.hold()
}

// constraint reads a row of the table, but for its clocks.
func (g *Grade) constraint(row configs.Value) (x Constraint, err error) {
	items := row.Items()
	if len(items) != 4 && len(items) != 5 {
		return x, row.Errorf(nil, "no constraint (want a list of level, preceding, following, clocks and, if not 1, window)")
	}
	rest := slices.Concat(items[:3], items[4:])
	if x, err = g.pair(row, rest); err != nil {
		return x, err
	}
	x.Formula = items[3].Text()
	if slices.ContainsFunc(slices.Concat(x.Prev, x.Next), func(c Command) bool { return g.Actions[c].IsState() }) && (x.Level != RankLevel || x.Window != 1) {
		return x, row.Errorf(nil, "power-down and self-refresh are states of a rank (want level %s, and no window)", g.Level(RankLevel))
	}
	return x, nil
}

// pair reads level, preceding, following and, if not 1, window.
func (g *Grade) pair(row configs.Value, items []configs.Value) (x Constraint, err error) {
	if len(items) < 3 {
		return x, row.Errorf(nil, "no pair (want a list of level, preceding, following and, if not 1, window)")
	}
	level := slices.Index(g.Levels, items[0].Text())
	if level < 0 {
		return x, items[0].Errorf(g.Levels, "%q is no level", items[0].Text())
	}
	x = Constraint{Level: Level(level), Window: 1}
	for i, to := range []*[]Command{&x.Prev, &x.Next} {
		if *to, err = g.commands(items[1+i].Text()); err != nil || len(*to) == 0 {
			return x, items[1+i].Errorf(nil, "%s", cmp.Or(err, errors.New("no command")))
		}
	}
	if len(items) > 3 {
		n, err := strconv.Atoi(items[3].Text())
		if err != nil || n < 1 || n > maxWindow {
			return x, items[3].Errorf(nil, "a window of %s (want 1 to %d)", items[3].Text(), maxWindow)
		}
		x.Window = n
	}
	return x, nil
}

// maxWindow is the most commands that a constraint looks back.
const maxWindow = 16

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

// Scheduled returns the constraints between commands that the controller sends: all but those of a standard's own.
func (g *Grade) Scheduled() (out []Constraint) {
	own := func(c Command) bool { return c >= Commands }
	for _, x := range g.Constraints {
		x.Prev, x.Next = slices.DeleteFunc(slices.Clone(x.Prev), own), slices.DeleteFunc(slices.Clone(x.Next), own)
		if len(x.Prev) > 0 && len(x.Next) > 0 {
			out = append(out, x)
		}
	}
	return out
}
