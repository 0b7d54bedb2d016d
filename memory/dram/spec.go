package dram

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/dram/ecc"
	"github.com/causeway-sim/causeway/memory/dram/power"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// Spec is the configuration of a bank-accurate memory.
type Spec struct {
	// Grade is the kind of DRAM and its speed, of the files of standard/grades.
	Grade standard.Name `yaml:"grade" doc:"Kind of DRAM and speed"`
	// Standard is a standard that is not built in, in place of Grade.
	Standard Own `yaml:"standard" doc:"A standard of your own in place of grade"`
	// Channels is a power of two. A channel of DDR5 is a sub-channel of 32 bits; one of HBM has
	// two pseudo channels.
	Channels int `yaml:"channels" jsonschema:"minimum=1,maximum=1024" doc:"Channels, a power of two; of DDR5 sub-channels of 32 bits"`
	// Ranks is per channel, a power of two; 0 is that of the grade.
	Ranks int `yaml:"ranks" jsonschema:"minimum=0,maximum=8" doc:"Ranks per channel, a power of two; 0 takes those of the grade"`
	// Size is the capacity, which sets the rows of each bank. 0 is the grade's, or more if the
	// ranges of the system need it: see Comp.Extend.
	Size units.Bytes `yaml:"size" doc:"Capacity, a power of two: banks get the rows for it; 0B is that of the grade, or more if the ranges of the memory section need it"`
	// Map is the address map; see memory/address.
	Map string `yaml:"map" doc:"Fields of an address from the highest bits to the lowest (Ro-Ba-BG-Ra-Co-Ch), or a name: hashed spreads strides over channels and banks; hashed-Co:1 keeps pairs of bursts in a row; MOP4, MOP4CLXOR"`
	// RowPolicy decides when a row is closed although no request needs another row.
	RowPolicy string `yaml:"row_policy" jsonschema:"enum=open,enum=closed,enum=closed_ap,enum=capped" doc:"When rows are closed: on demand, by a precharge after an access, by the access itself, or after cap accesses"`
	// Cap is the number of accesses after which the policy capped closes a row.
	Cap int `yaml:"cap" jsonschema:"minimum=1,maximum=1048576" doc:"Accesses to a row before the row policy capped closes it"`
	// Scheduler orders the bursts.
	Scheduler string `yaml:"scheduler" jsonschema:"enum=frfcfs,enum=fcfs" doc:"Oldest of those that are ready first, or oldest first"`
	// Refresh selects the banks of one refresh, and a defence against row hammer.
	Refresh Refresh `yaml:"refresh" doc:"all_bank: all banks of a rank at once; same_bank: one bank of every group; per_bank: one bank; none. A mapping adds a defence against row hammer: {mode: all_bank, mitigation: para}"`
	// ECC is the error correction.
	ECC ecc.Setting `yaml:"ecc" doc:"Error correction: {kind: side_band} or {kind: inline, scrub: 1us}"`
	// PowerDown says when ranks rest.
	PowerDown power.Setting `yaml:"power_down" doc:"When ranks without accesses go to power-down and self-refresh: {after: 100ns, self_refresh: 20us}"`
	// WCK is when the data clock of LPDDR5 runs.
	WCK string `yaml:"wck" jsonschema:"enum=always_on,enum=on_access" doc:"Of LPDDR5: the data clock runs all the time, or for accesses, each of which needs a CAS command ahead where it stands still"`
	// ReadQueue is the reads of a channel that the scheduler sees.
	ReadQueue int `yaml:"read_queue" jsonschema:"minimum=1,maximum=4096" doc:"Read bursts that a channel's controller looks at"`
	// WriteQueue is the writes of a channel that the scheduler sees.
	WriteQueue int `yaml:"write_queue" jsonschema:"minimum=1,maximum=4096" doc:"Write bursts that a channel's controller holds"`
	// WriteHigh is the waiting writes from which on writes have priority.
	WriteHigh int `yaml:"write_high" jsonschema:"minimum=1" doc:"Waiting writes from which on writes go first"`
	// WriteLow is the waiting writes at which reads have priority again.
	WriteLow int `yaml:"write_low" jsonschema:"minimum=0" doc:"Waiting writes at which reads go first again"`
	// Posted: a write is answered when its last burst is in the queues, not when its last beat
	// has passed.
	Posted bool `yaml:"posted" doc:"Answer a write when it is in the queues, not when its data have passed"`
	// Latency is added to every answer: controller and interface, which the timings of the grade
	// leave out.
	Latency units.Latency `yaml:"latency" doc:"Added to every answer: controller and interface"`
	// Timing replaces timings of the grade, in clocks, by name without t.
	Timing map[string]int `yaml:"timing" doc:"Timings in clocks in place of those of the grade, by name without t: {RFC: 576}"`
	// Functional: the device holds bytes, see memory.Data.
	Functional bool `yaml:"functional" doc:"Hold the bytes of requests, for programs that need them"`
	// CommandTrace keeps every command, 24 bytes each, for a file that causeway trace check
	// verifies.
	CommandTrace bool `yaml:"command_trace" doc:"Write every command of the device to NAME.commands among the results (causeway trace check)"`
}

// DefaultSpec is one channel of DDR4-3200 with open rows.
func DefaultSpec() Spec {
	d := DefaultConfig(nil)
	return Spec{
		Grade: "ddr4_3200", Channels: 1, Map: "hashed",
		RowPolicy: Open.String(), Cap: d.Cap, Scheduler: FRFCFS.String(), Refresh: DefaultRefresh(), ECC: ecc.DefaultSetting(), PowerDown: power.DefaultSetting(), WCK: standard.AlwaysOn.String(),
		ReadQueue: d.ReadQueue, WriteQueue: d.WriteQueue, WriteHigh: d.High, WriteLow: d.Low, Posted: true,
	}
}

// A keyError is about the value of one key.
type keyError struct {
	key string
	err error
}

func (e *keyError) Error() string { return e.key + ": " + e.err.Error() }
func (e *keyError) Unwrap() error { return e.err }

func fault(key, format string, args ...any) error {
	return &keyError{key, fmt.Errorf(format, args...)}
}

// config is what one channel is like, and the map of the device. The error
// joins all that is wrong.
func (s Spec) config() (Config, *address.Map, error) {
	var errs []error
	g, err := s.find()
	if err != nil {
		return Config{}, nil, err
	}
	g, err = g.With(s.Timing)
	if err != nil {
		return Config{}, nil, fault("timing", "%w", err)
	}
	switch {
	case !slices.Contains(standard.WCKNames, s.WCK):
		errs = append(errs, fault("wck", "unknown wck %q (want one of: %s)", s.WCK, strings.Join(standard.WCKNames, ", ")))
	case s.WCK == standard.OnAccess.String():
		synced, err := g.Synced()
		if err != nil {
			errs = append(errs, fault("wck", "%w", err))
		} else {
			g = synced
		}
	}
	if bits.OnesCount(uint(s.Channels)) != 1 || s.Channels > 1024 {
		errs = append(errs, fault("channels", "%d channels (want a power of two, at most 1024)", s.Channels))
	}
	if s.Ranks != 0 {
		g.Organisation.Ranks = s.Ranks
		if err := g.Organisation.Check(); err != nil {
			errs = append(errs, fault("ranks", "%w", err))
		}
	}
	geometry := g.Organisation.Geometry(s.Channels)
	if s.Size > 0 {
		if err := resize(&geometry, g.Organisation.Burst(), uint64(s.Size)); err != nil {
			errs = append(errs, fault("size", "is %s: %w", s.Size, err))
		}
	}
	cfg := DefaultConfig(g)
	cfg.Hammer, cfg.Rows = s.Refresh.Hammer, 1<<geometry[address.Row]
	if cfg.Rest, err = s.PowerDown.Rule(g.Clock.Clock); err != nil {
		errs = append(errs, fault("power_down", "%w", err))
	}
	cfg.ECC, cfg.Scrub = s.ECC, int64(s.ECC.Scrub.In(g.Clock.Clock))
	if s.ECC.Kind == "side_band" {
		g.Organisation.Extra = g.Check
	}
	cfg.Cap, cfg.ReadQueue, cfg.WriteQueue, cfg.High, cfg.Low = s.Cap, s.ReadQueue, s.WriteQueue, s.WriteHigh, s.WriteLow
	for _, w := range []struct {
		key, word string
		words     []string
		set       func(int)
	}{
		{"row_policy", s.RowPolicy, policyNames, func(i int) { cfg.Policy = RowPolicy(i) }},
		{"scheduler", s.Scheduler, schedulerNames, func(i int) { cfg.Scheduler = Scheduler(i) }},
		{"refresh", s.Refresh.Mode, refreshNames, func(i int) { cfg.Refresh = RefreshMode(i) }},
	} {
		i := slices.Index(w.words, w.word)
		if i < 0 {
			errs = append(errs, fault(w.key, "unknown %s %q (want one of: %s)", w.key, w.word, strings.Join(w.words, ", ")))
			continue
		}
		w.set(i)
	}
	if err := errors.Join(errs...); err != nil {
		return Config{}, nil, err
	}
	m, err := address.Parse(s.Map, geometry)
	if err != nil {
		errs = append(errs, fault("map", "%w", err))
	}
	if err := cfg.Check(); err != nil {
		errs = append(errs, err)
	}
	return cfg, m, errors.Join(errs...)
}
