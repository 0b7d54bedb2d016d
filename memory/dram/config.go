package dram

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/causeway-sim/causeway/memory/dram/ecc"
	"github.com/causeway-sim/causeway/memory/dram/hammer"
	"github.com/causeway-sim/causeway/memory/dram/power"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// A RowPolicy decides when a row is closed although no request needs another row of its bank.
type RowPolicy uint8

// The row policies.
const (
	Open     RowPolicy = iota // only when another row of the bank is wanted
	Closed                    // by a precharge as soon as it is allowed after an access; accesses before it still hit
	ClosedAP                  // by every access itself
	Capped                    // as Closed, after Cap accesses
)

var policyNames = []string{"open", "closed", "closed_ap", "capped"}

func (p RowPolicy) String() string { return policyNames[p] }

// A RefreshMode selects the banks of one refresh.
type RefreshMode uint8

// The refresh modes.
const (
	AllBank   RefreshMode = iota // all banks of a rank at once
	SameBank                     // one bank of every group at a time
	PerBank                      // one bank at a time
	NoRefresh                    // not at all
)

var refreshNames = hammer.Modes

func (r RefreshMode) String() string { return refreshNames[r] }

// command is the refresh of a mode.
func (r RefreshMode) command() standard.Command {
	return [...]standard.Command{AllBank: standard.REF, SameBank: standard.REFS, PerBank: standard.REFB, NoRefresh: standard.REF}[r]
}

// A Scheduler orders the bursts.
type Scheduler uint8

// The schedulers.
const (
	FRFCFS Scheduler = iota // the oldest of those whose next command is allowed
	FCFS                    // the oldest
)

var schedulerNames = []string{"frfcfs", "fcfs"}

func (s Scheduler) String() string { return schedulerNames[s] }

// A Config configures one channel and its controller.
type Config struct {
	Grade      *standard.Grade
	Policy     RowPolicy
	Cap        int // accesses to a row before Capped closes it
	Scheduler  Scheduler
	Refresh    RefreshMode
	Hammer     hammer.Setting // defence against row hammer
	ECC        ecc.Setting
	Scrub      int64      // clocks between two bursts of the scrubber, 0: none
	Rest       power.Rule // when ranks go to power-down and self-refresh
	Rows       int        // of a bank, if more than the grade's
	Random     *rand.PCG  // of the defence, nil for one that draws nothing
	ReadQueue  int        // bursts that wait for their row or their turn; bursts whose row is being opened do not count
	WriteQueue int
	High, Low  int // from High waiting writes on writes have priority, until Low are left
}

// DefaultConfig is an open-row controller with queues of 32 bursts, writes going
// first from 26 on until 6 are left.
//
// assumption: sizes and watermarks (80% and 20%) as Ramulator 2.1 has them.
func DefaultConfig(g *standard.Grade) Config {
	return Config{Grade: g, Hammer: hammer.DefaultSetting(), Cap: 4, ReadQueue: 32, WriteQueue: 32, High: 26, Low: 6}
}

// maxQueue bounds the queues: entries have 16-bit indices.
const maxQueue = 4096

// Check returns an error for impossible values.
func (c Config) Check() error {
	switch {
	case c.Grade == nil:
		return errors.New("no grade")
	case c.ReadQueue < 1 || c.ReadQueue > maxQueue || c.WriteQueue < 1 || c.WriteQueue > maxQueue:
		return fmt.Errorf("queues of %d reads and %d writes (want 1 to %d)", c.ReadQueue, c.WriteQueue, maxQueue)
	case c.High > c.WriteQueue || c.Low >= c.High || c.Low < 0:
		return fmt.Errorf("write watermarks %d and %d in a queue of %d (want low < high <= queue)", c.High, c.Low, c.WriteQueue)
	case c.Policy == Capped && (c.Cap < 1 || c.Cap > 1<<20):
		return fmt.Errorf("a cap of %d accesses (want at least 1)", c.Cap)
	case c.Refresh == SameBank && (c.Grade.Slots[standard.REFS] == 0 || c.Grade.Actions[standard.REFS].Every.Clocks == 0):
		return fmt.Errorf("%s has no refresh of the same bank of every group", c.Grade.Name)
	case c.Refresh == PerBank && (c.Grade.Slots[standard.REFB] == 0 || c.Grade.Actions[standard.REFB].Every.Clocks == 0):
		return fmt.Errorf("%s has no refresh of one bank", c.Grade.Name)
	}
	return c.checkParts()
}

// checkParts returns an error for what does not go with the grade.
func (c Config) checkParts() error {
	if err := c.fits(); err != nil {
		return &keyError{"timing", err}
	}
	if _, err := newGuard(&c, nil); err != nil {
		return &keyError{"refresh", err}
	}
	if _, err := newRest(&c); err != nil {
		return &keyError{"power_down", err}
	}
	if _, err := newChecks(&c); err != nil {
		return &keyError{"ecc", err}
	}
	return nil
}
