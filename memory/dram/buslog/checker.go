package buslog

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// A Checker verifies a trace of the commands of one channel against the constraints and the
// states of the banks. It shares only the Grade with the scheduler: it keeps plain histories and
// evaluates every constraint for every command.
type Checker struct {
	grade   *standard.Grade
	history map[spot][]int64 // clocks of the last commands, newest last
	open    map[[3]int]uint32
	bus     map[bool]Record // last command, by whether its bus is the one of columns
	any     map[bool]bool
	names   []string // of the commands
	clock   int64
	wck     map[int]int64   // by rank: last clock in which the data clock runs, plus 1
	cas     *Record         // whose access has to come in the next clock
	rest    map[int]Record  // by rank: the command that began its state
	marks   map[mark]Record // what set them
}

// mark is a mark of a rank.
type mark struct {
	rank int
	name string
}

// spot is a command at a node: indices below the level are -1.
type spot struct {
	cmd               standard.Command
	rank, group, bank int
}

// NewChecker starts with all banks closed.
func NewChecker(g *standard.Grade) *Checker {
	return &Checker{grade: g, names: g.Names(), history: map[spot][]int64{}, open: map[[3]int]uint32{}, bus: map[bool]Record{}, any: map[bool]bool{}, wck: map[int]int64{}, rest: map[int]Record{}, marks: map[mark]Record{}}
}

// Check verifies the next command. The error names the constraint or bank state that it violates.
func (c *Checker) Check(r Record) error {
	o := c.grade.Organisation
	if r.Rank >= o.Ranks || r.Group >= o.Groups || r.Bank >= o.Banks {
		return fmt.Errorf("%s: there is no such bank", c.say(r))
	}
	if r.At < c.clock {
		return fmt.Errorf("%s: before a command at %d", c.say(r), c.clock)
	}
	c.clock = r.At
	if err := c.dataClock(r); err != nil {
		return err
	}
	if c.grade.Slots[r.Cmd] == 0 {
		return fmt.Errorf("%s: %s has no such command", c.say(r), c.grade.Name)
	}
	if err := c.slot(r); err != nil {
		return err
	}
	for i := range c.grade.Constraints {
		if err := c.constraint(&c.grade.Constraints[i], r); err != nil {
			return err
		}
	}
	if err := c.power(r); err != nil {
		return err
	}
	if err := c.state(r); err != nil {
		return err
	}
	c.note(r)
	return nil
}

// dataClock checks that accesses find the data clock of their rank running, and that a CAS
// starts it for the access in the next clock, where it does not run.
func (c *Checker) dataClock(r Record) error {
	hold, column := 0, true
	switch r.Cmd {
	case standard.RD, standard.RDA:
		hold = c.grade.Hold[0]
	case standard.WR, standard.WRA:
		hold = c.grade.Hold[1]
	default:
		column = false
	}
	cas := c.cas
	c.cas = nil
	switch {
	case c.grade.WCK != standard.OnAccess:
		if r.Cmd == standard.CAS {
			return fmt.Errorf("%s: the data clock runs all the time", c.say(r))
		}
		return nil
	case cas != nil && (!column || r.Rank != cas.Rank || r.At != cas.At+1):
		return fmt.Errorf("%s: the access of %s has to come in the next clock", c.say(r), *cas)
	case r.Cmd == standard.CAS && r.At < c.wck[r.Rank]:
		return fmt.Errorf("%s: the data clock runs until %d", c.say(r), c.wck[r.Rank]-1)
	case r.Cmd == standard.CAS:
		c.cas = &r
	case column && cas == nil && r.At >= c.wck[r.Rank]:
		return fmt.Errorf("%s: the data clock has stood still since %d", c.say(r), c.wck[r.Rank])
	case column:
		c.wck[r.Rank] = max(c.wck[r.Rank], r.At+int64(hold)+1)
	}
	return nil
}

// say is a record as an error has it.
func (c *Checker) say(r Record) string { return r.text(c.names) }

// power checks and changes the state of a rank: in a state that a command began it gets no command but one that ends
// it. Marks are checked and set besides.
func (c *Checker) power(r Record) error {
	a := &c.grade.Actions[r.Cmd]
	in, rests := c.rest[r.Rank]
	state := "" // that it is in
	if rests {
		state = c.grade.Actions[in.Cmd].Begins
	}
	switch {
	case rests && a.Ends != state:
		return fmt.Errorf("%s: the rank is in %s since %s", c.say(r), state, c.say(in))
	case !rests && a.Ends != "":
		return fmt.Errorf("%s: the rank is not in %s", c.say(r), a.Ends)
	}
	if by, is := c.marks[mark{r.Rank, a.Without}]; is && a.Without != "" {
		return fmt.Errorf("%s: the rank is %s since %s", c.say(r), a.Without, c.say(by))
	}
	if a.Begins != "" {
		c.rest[r.Rank] = r
	} else if a.Ends != "" {
		delete(c.rest, r.Rank)
	}
	if a.Clears != "" {
		delete(c.marks, mark{r.Rank, a.Clears})
	}
	if a.Sets != "" {
		c.marks[mark{r.Rank, a.Sets}] = r
	}
	return nil
}

// slot checks that the command bus is free.
func (c *Checker) slot(r Record) error {
	column := slices.Contains(c.grade.Column, r.Cmd)
	last, any := c.bus[column], c.any[column]
	c.bus[column], c.any[column] = r, true
	if any && r.At < last.At+int64(c.grade.Slots[last.Cmd]) {
		return fmt.Errorf("%s: the bus is taken by %s", c.say(r), c.say(last))
	}
	return nil
}

// banks lists the banks that a command is about.
func (c *Checker) banks(r Record) [][3]int {
	var out [][3]int
	for g := range c.grade.Organisation.Groups {
		for b := range c.grade.Organisation.Banks {
			if s := c.grade.Actions[r.Cmd].Scope; s == standard.WholeRank || b == r.Bank && (s == standard.EveryGroup || g == r.Group) {
				out = append(out, [3]int{r.Rank, g, b})
			}
		}
	}
	return out
}

// at is the spot of a command at a level.
func at(cmd standard.Command, l standard.Level, bank [3]int) spot {
	s := spot{cmd, -1, -1, -1}
	if l >= standard.RankLevel {
		s.rank = bank[0]
	}
	if l >= standard.GroupLevel {
		s.group = bank[1]
	}
	if l >= standard.BankLevel {
		s.bank = bank[2]
	}
	return s
}

// constraint checks one constraint for one command.
func (c *Checker) constraint(k *standard.Constraint, r Record) error {
	if !slices.Contains(k.Next, r.Cmd) {
		return nil
	}
	for _, bank := range c.banks(r) {
		var clocks []int64
		for _, p := range k.Prev {
			if k.Level != standard.OtherRanks {
				clocks = append(clocks, c.history[at(p, k.Level, bank)]...)
				continue
			}
			for rank := range c.grade.Organisation.Ranks {
				if rank != r.Rank {
					clocks = append(clocks, c.history[at(p, standard.RankLevel, [3]int{rank, 0, 0})]...)
				}
			}
		}
		slices.Sort(clocks)
		if n := len(clocks); n >= k.Window && r.At < clocks[n-k.Window]+int64(k.Clocks) {
			return fmt.Errorf("%s: %d clocks after one of [%s], at level %s (want %d: %s)", c.say(r), r.At-clocks[n-k.Window], c.grade.Words(k.Prev), c.grade.Level(k.Level), k.Clocks, k.Formula)
		}
	}
	return nil
}

// state checks and changes the states of banks.
func (c *Checker) state(r Record) error {
	a := &c.grade.Actions[r.Cmd]
	for _, bank := range c.banks(r) {
		row, open := c.open[bank]
		switch {
		case a.Needs == standard.Closed && open:
			return fmt.Errorf("%s: row %d is open", c.say(r), row)
		case a.Needs == standard.Opened && (!open || row != r.Row):
			return fmt.Errorf("%s: the row is not open", c.say(r))
		}
		switch a.Leaves {
		case standard.Opened:
			c.open[bank] = r.Row
		case standard.Closed:
			delete(c.open, bank)
		case standard.Any:
		}
	}
	return nil
}

// note adds a command to the histories of all nodes above and of its banks.
func (c *Checker) note(r Record) {
	var seen []spot
	for _, bank := range c.banks(r) {
		for l := standard.ChannelLevel; l <= standard.BankLevel; l++ {
			s := at(r.Cmd, l, bank)
			if slices.Contains(seen, s) {
				continue
			}
			seen = append(seen, s)
			h := append(c.history[s], r.At)
			if len(h) > 16 { // the longest window
				h = h[1:]
			}
			c.history[s] = h
		}
	}
}
