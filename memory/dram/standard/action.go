package standard

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/plain"
)

// A BankState is the state of a bank that a command needs, or that it leaves.
type BankState uint8

// The states. Of a command that needs Opened the row is the one that is open.
const (
	Any BankState = iota
	Closed
	Opened
)

var bankStates = []string{"", "closed", "open"}

func (s BankState) String() string { return bankStates[s] }

// An Action is what a command does: a row of commands.yaml, or of the commands of a standard.
type Action struct {
	Name          string
	Scope         Scope
	Needs, Leaves BankState
	Begins, Ends  string // a state of the rank, in which it gets no command but one that ends it
	Sets, Clears  string // a mark of the rank
	Without       string // a mark: the command is illegal while it is set
	Busy          Delay  // for which the chip works on it
	Data          Delay  // to the last beat
	Every         Delay  // from one to the next, which keep the cells
}

// IsState reports whether the command begins or ends a state of the rank.
func (a *Action) IsState() bool { return a.Begins != "" || a.Ends != "" }

// A Delay is a sum of timings, with its value for a grade.
type Delay struct {
	Formula string
	Clocks  int
}

// actionRow is an Action as written.
type actionRow struct {
	Banks   string `yaml:"banks" doc:"The banks that the command is about: one, every group (the same bank of each) or rank"`
	Needs   string `yaml:"needs" doc:"State of the banks before: closed, or open"`
	Leaves  string `yaml:"leaves" doc:"State of the banks after: closed, or open"`
	Begins  string `yaml:"begins" doc:"State of the rank in which it gets no command but one that ends the state"`
	Ends    string `yaml:"ends" doc:"State of the rank that the command ends"`
	Sets    string `yaml:"sets" doc:"Mark of the rank that the command sets"`
	Clears  string `yaml:"clears" doc:"Mark of the rank that the command takes away"`
	Without string `yaml:"without" doc:"Mark of the rank with which the command is illegal"`
	Busy    string `yaml:"busy" doc:"Clocks for which the chip works on the command: a sum of timings"`
	Data    string `yaml:"data" doc:"Clocks to the last beat: a sum of timings"`
	Every   string `yaml:"every" doc:"Clocks from one refresh to the next: a sum of timings"`
}

//go:embed commands.yaml
var commandsFile []byte

// common is commands.yaml: the actions of the commands that the controller sends, by Command, and the
// constraints that every DRAM has.
var common = sync.OnceValue(func() (out struct {
	actions []Action
	needed  []Constraint
}) {
	v, err := plain.Parse("commands.yaml", commandsFile)
	var f struct {
		Commands map[string]actionRow `yaml:"commands"`
		Needed   []configs.Value      `yaml:"needed"`
	}
	if err == nil {
		err = v.Decode(&f)
	}
	base := Grade{Levels: levelNames}
	for _, name := range CommandNames {
		row, ok := f.Commands[name]
		a, fault := row.action(name)
		if !ok || fault != nil {
			panic(fmt.Sprintf("dram: commands.yaml: %s: %v, %v", name, err, fault))
		}
		base.Actions = append(base.Actions, a)
	}
	for _, row := range f.Needed {
		x, fault := base.pair(row, row.Items())
		if fault != nil {
			panic(fmt.Sprintf("dram: %v", fault))
		}
		out.needed = append(out.needed, x)
	}
	out.actions = base.Actions
	return out
})

// choice is the number of a word among some.
func choice(key, word string, among []string) (int, error) {
	i := slices.Index(among, word)
	if i < 0 {
		return 0, fmt.Errorf("%s: %q (want one of: %s)", key, word, strings.Join(slices.DeleteFunc(slices.Clone(among), func(s string) bool { return s == "" }), ", "))
	}
	return i, nil
}

// action reads a row.
func (r actionRow) action(name string) (Action, error) {
	scope, err := choice("banks", r.Banks, scopeNames[:])
	if err != nil {
		return Action{}, err
	}
	needs, err := choice("needs", r.Needs, bankStates)
	if err != nil {
		return Action{}, err
	}
	leaves, err := choice("leaves", r.Leaves, bankStates)
	if err != nil {
		return Action{}, err
	}
	a := Action{Name: name, Scope: Scope(scope), Needs: BankState(needs), Leaves: BankState(leaves),
		Begins: r.Begins, Ends: r.Ends, Sets: r.Sets, Clears: r.Clears, Without: r.Without,
		Busy: Delay{r.Busy, 0}, Data: Delay{r.Data, 0}, Every: Delay{r.Every, 0}}
	switch {
	case a.IsState() && a.Scope != WholeRank:
		err = fmt.Errorf("begins or ends a state of the rank (want banks: rank)")
	case a.Leaves == Opened && a.Scope != OneBank:
		err = fmt.Errorf("opens rows of several banks (want banks: one)")
	}
	return a, err
}

// addCommands reads the commands of a standard: those of its own, and other delays of the common ones.
func (g *Grade) addCommands(at configs.Value, rows map[string]actionRow) error {
	var errs configs.Errors
	g.Actions = slices.Clone(common().actions)
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		v, r := at.Get(name), rows[name]
		if c, ok := ParseCommand(name); ok {
			a := &g.Actions[c]
			if (actionRow{Busy: r.Busy, Data: r.Data, Every: r.Every}) != r {
				errs.Add(v.Errorf(nil, "the controller sends %s, so that what it does is fixed (want busy, data or every; or another name)", name))
			}
			for _, x := range []struct {
				to   *Delay
				text string
			}{{&a.Busy, r.Busy}, {&a.Data, r.Data}, {&a.Every, r.Every}} {
				if x.text != "" {
					x.to.Formula = x.text
				}
			}
			continue
		}
		a, err := r.action(name)
		switch {
		case err != nil:
			errs.Add(v.Errorf(nil, "%s", err))
		case len(g.Actions) == MostCommands:
			errs.Add(v.Errorf(nil, "more than %d commands of its own", MostCommands-len(CommandNames)))
		case strings.ContainsAny(name, " \t"):
			errs.Add(v.Errorf(nil, "%q is no name of a command (want one word)", name))
		default:
			g.Actions = append(g.Actions, a)
		}
	}
	errs.Add(g.wholeStates(at))
	return errs.Err()
}

// wholeStates finds states that no command ends, or begins, and marks that none sets.
func (g *Grade) wholeStates(at configs.Value) error {
	begun, ended, set := map[string]string{}, map[string]string{}, map[string]bool{"": true}
	for _, a := range g.Actions {
		begun[a.Begins], ended[a.Ends] = a.Name, a.Name
		set[a.Sets] = true
	}
	for _, a := range g.Actions {
		switch {
		case a.Begins != "" && ended[a.Begins] == "":
			return at.Get(a.Name).Errorf(nil, "no command ends %s", a.Begins)
		case a.Ends != "" && begun[a.Ends] == "":
			return at.Get(a.Name).Errorf(nil, "no command begins %s", a.Ends)
		case !set[a.Clears] || !set[a.Without]:
			return at.Get(a.Name).Errorf(nil, "no command sets %s", a.Clears+a.Without)
		}
	}
	return nil
}

// delays evaluates the delays of the commands.
func (g *Grade) delays() error {
	g.Actions = slices.Clone(g.Actions)
	for i := range g.Actions {
		a := &g.Actions[i]
		for _, d := range []*Delay{&a.Busy, &a.Data, &a.Every} {
			if d.Formula == "" {
				continue
			}
			var err error
			if d.Clocks, err = formula(d.Formula, g.Timing); err != nil {
				return fmt.Errorf("command %s: %w", a.Name, err)
			}
		}
	}
	return nil
}

// Command returns the command of the standard with a name.
func (g *Grade) Command(name string) (Command, bool) {
	i := slices.IndexFunc(g.Actions, func(a Action) bool { return a.Name == name })
	return Command(max(i, 0)), i >= 0
}

// Names returns the names of the commands of the standard, by Command.
func (g *Grade) Names() (out []string) {
	for _, a := range g.Actions {
		out = append(out, a.Name)
	}
	return out
}

// Level returns what the standard calls a level.
func (g *Grade) Level(l Level) string { return g.Levels[l] }
