package served

import (
	"fmt"
	"math/bits"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// A Fabric measures transfers for a planner. It is a second system of the configuration, of which
// only the network and the interfaces of the ranks are used. A transfer takes the same schedule,
// interfaces and channels as in the run, without other traffic.
type Fabric struct {
	driver Driver
	clock  clock.Clock
	player idlePlayer
	seats  []*idleSeat // by rank
	serial int64       // of the last transfer
	known  map[timedTransfer]units.Time
	takes  func(all [][]graph.Transfer) (units.Time, error) // carry
}

// A Driver is the engine of an idle system.
type Driver interface {
	sim.Engine
	Run() error
}

// NewFabric makes a Fabric of the interfaces of an idle system with engine d. play makes the
// player of a program on seats; it must not start it.
func NewFabric(d Driver, interfaces []system.Node, play func([]seat.Seat) (system.Node, error)) (*Fabric, error) {
	f := &Fabric{driver: d, known: map[timedTransfer]units.Time{}}
	var seats []seat.Seat
	for _, n := range interfaces {
		s := &idleSeat{Seat: n.(seat.Seat), ops: n.(work.Executor).Ops()}
		f.seats, seats = append(f.seats, s), append(seats, s)
	}
	f.clock = seats[0].Clock()
	n, err := play(seats)
	if err != nil {
		return nil, err
	}
	var ok bool
	if f.player, ok = n.(idlePlayer); !ok {
		return nil, fmt.Errorf("%s carries out no transfers that come while it runs", n.Name())
	}
	f.takes = f.carry
	return f, f.player.Start()
}

// An idlePlayer carries out the transfers that an Fabric adds to its program.
type idlePlayer interface {
	seat.Player
	seat.Extender
}

// timedTransfer is the key of a transfer's time: its kind, its ranks, and its size.
type timedTransfer struct {
	name     string
	among    graph.Ranks
	from, to int // instances
	size     int64
}

// time is what a transfer takes; of makes the transfers of each rank at a size, which begin at
// once.
//
// A server has batches of thousands of sizes, some very large. Sizes of four significant bits
// are timed, and others lie on the line between their two neighbours. From small on, the first
// size whose half takes half as long (proportional), as does the half of that, says what all larger
// ones take: a single step may be that of longer messages that wait for their receive. Where by says
// that sizes go by different algorithms there is no line between them.
func (f *Fabric) time(k timedTransfer, small int64, by func(size int64) any, of func(size int64) [][]graph.Transfer) (units.Time, error) {
	at := func(size int64) (units.Time, error) {
		k.size = size
		t, ok := f.known[k]
		if ok {
			return t, nil
		}
		t, err := f.takes(of(size))
		f.known[k] = t
		return t, err
	}
	n := k.size
	alike := func(x, y int64) bool { return by(x) == by(n) && by(y) == by(n) }
	line := func(x, y int64) (t units.Time, twice bool, err error) {
		a, err := at(x)
		if err != nil {
			return 0, false, err
		}
		b, err := at(y)
		return a + units.Time(float64(b-a)*float64(n-x)/float64(y-x)), float64(b) >= proportional*float64(a), err
	}
	before := false
	for x := small; 2*x < n; x *= 2 {
		if !alike(x, 2*x) {
			continue
		}
		t, twice, err := line(x, 2*x)
		if twice && before || err != nil {
			return t, err
		}
		before = twice
	}
	unit := int64(1) << max(bits.Len64(uint64(n))-4, 0)
	least := n / unit * unit
	if least == n || !alike(least, least+unit) {
		return at(n)
	}
	t, _, err := line(least, least+unit)
	return t, err
}

// proportional is how much longer a transfer of twice the size takes when its rate decides, and
// neither latencies nor overheads: what does not grow with the size is 2 % of its time at most.
const proportional = 1.98

// small is the bytes from which on a rate may decide.
const small = 1 << 20

// carry carries transfers out, and returns the time from their begin to the end of the last.
func (f *Fabric) carry(all [][]graph.Transfer) (units.Time, error) {
	f.serial++
	now := f.driver.CurrentTime()
	for r, transfers := range all {
		if len(transfers) == 0 {
			continue
		}
		s := f.seats[r]
		first, err := f.player.Extend(s, transfers, f.serial)
		if err != nil {
			return 0, err
		}
		for i := range transfers {
			s.asked = append(s.asked, first+int32(i))
		}
		s.open = len(transfers)
	}
	for r := range all {
		f.player.NotifyRecv(now, f.seats[r].ops)
	}
	if err := f.driver.Run(); err != nil {
		return 0, err
	}
	last := uint64(0)
	for r := range all {
		s := f.seats[r]
		if s.open > 0 {
			return 0, fmt.Errorf("%s: %d transfers do not end on an idle network", s.Name(), s.open)
		}
		if len(all[r]) > 0 {
			last = max(last, s.end-s.begin)
		}
	}
	return units.Time(f.clock.Nanoseconds(last) * float64(units.Nanosecond)), nil
}

// An idleSeat is an interface whose transfers begin when they are measured. It accesses no memory.
type idleSeat struct {
	seat.Seat
	ops        sim.Port
	asked      []int32
	open       int    // transfers that have not ended
	begin, end uint64 // cycles of the last transfers
}

// Asked implements seat.Agent.
func (s *idleSeat) Asked(_ sim.VTimeInSec, cycle uint64, into []int32) ([]int32, error) {
	if len(s.asked) > 0 {
		s.begin = cycle
	}
	into, s.asked = append(into, s.asked...), s.asked[:0]
	return into, nil
}

// Ended implements seat.Agent.
func (s *idleSeat) Ended(_ int32, cycle uint64) { s.open, s.end = s.open-1, cycle }

// Answer implements seat.Agent. It does nothing: no request waits for an answer.
func (s *idleSeat) Answer(sim.VTimeInSec, uint64) {}
