package cache

import (
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// A TimedSpec says what a cache is like that takes time.
type TimedSpec struct {
	Spec `yaml:",inline"`
	// Latency from a lookup to the data of a hit.
	Latency units.Latency `yaml:"latency" doc:"Time from a lookup to the data of a hit"`
	// TagLatency is the part of it until a miss is known.
	TagLatency units.Latency `yaml:"tag_latency" doc:"Part of the latency until a miss goes below; the rest passes when its data have come"`
	// Banks of a slice, each of which begins one lookup at a time.
	Banks int `yaml:"banks" jsonschema:"minimum=1,maximum=1024" doc:"Banks of a slice; lines take them in turn"`
	// Width is the bytes that a bank moves in a cycle.
	Width units.Bytes `yaml:"width" doc:"Bytes that a bank moves per cycle; 0B is a line"`
	// Queue is the lines that wait in front of a bank, on average.
	Queue int `yaml:"queue" jsonschema:"minimum=1,maximum=65535" doc:"Lines per bank that wait for their lookup before requests are held back"`
	// MSHRs of a slice: lines that are under way.
	MSHRs int `yaml:"mshrs" jsonschema:"minimum=1,maximum=65535" doc:"Lines of a slice that may be under way from below"`
	// Merges is how many accesses may wait for one line.
	Merges int `yaml:"merges" jsonschema:"minimum=1,maximum=65535" doc:"Accesses that may wait for one line, the one that missed it included"`
	// WriteBuffer is the writes below that are not answered.
	WriteBuffer int `yaml:"write_buffer" jsonschema:"minimum=1,maximum=65535" doc:"Lines on their way to be written below, until they are answered"`
	// Allocate says when a missed line gets its way.
	Allocate string `yaml:"allocate" jsonschema:"enum=miss,enum=fill" doc:"A missed line takes its way at once, or when its data come"`
	// Posted writes are answered when they are in the cache or its buffer.
	Posted bool `yaml:"posted" doc:"Answer a write when the cache has it, not when its line has come or memory has answered"`
}

// DefaultTimedSpec is the cache of DefaultSpec with 20 cycles.
//
// assumption: latencies, buffers and queues are of the size of a slice of a last
// level cache; every design differs.
func DefaultTimedSpec() TimedSpec {
	return TimedSpec{
		Spec: DefaultSpec(), Latency: units.InCycles(20), TagLatency: units.InCycles(6), Banks: 1, Queue: 16,
		MSHRs: 64, Merges: 16, WriteBuffer: 32, Allocate: "miss", Posted: true,
	}
}

// check reports every value that makes no sense, besides those of Spec.
func (s *TimedSpec) check(at func(key string) configs.Value) error {
	var errs configs.Errors
	atLeastOne(at, &errs, count{"banks", s.Banks}, count{"queue", s.Queue}, count{"mshrs", s.MSHRs}, count{"merges", s.Merges}, count{"write_buffer", s.WriteBuffer})
	if c := s.Clock.Clock; s.TagLatency.In(c) > s.Latency.In(c) {
		errs.Add(at("tag_latency").Errorf(nil, "is %s, longer than the latency of %s", s.TagLatency, s.Latency))
	}
	if s.Slices*s.Banks > maxBanks {
		errs.Add(at("banks").Errorf(nil, "%d slices of %d banks (want at most %d banks in all)", s.Slices, s.Banks, maxBanks))
	}
	if s.Slices*s.MSHRs > maxMSHRs {
		errs.Add(at("mshrs").Errorf(nil, "%d slices of %d MSHRs (want at most %d in all)", s.Slices, s.MSHRs, maxMSHRs))
	}
	if s.Width > s.Line {
		errs.Add(at("width").Errorf(nil, "is %s, more than the line of %s", s.Width, s.Line))
	}
	return errs.Err()
}

const (
	maxBanks = 4096
	maxMSHRs = 1<<16 - 1 // their numbers fit into 16 bits
)
