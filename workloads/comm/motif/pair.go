package motif

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// PingPong is the parameters of ping_pong.
type PingPong struct {
	Steps   `yaml:",inline"`
	Bytes   units.Bytes `yaml:"bytes" doc:"Data that go one way, of all pairs and streams together; 0B is an empty message"`
	Streams int         `yaml:"streams" doc:"Messages that a rank sends at once, each with its share of the data; one if the rank has fewer bytes than that" jsonschema:"minimum=1"`
	Both    bool        `yaml:"both" doc:"Both ranks of a pair send at once, in place of one after the other"`
}

func init() {
	add("ping_pong", "Messages there and back: rank i of the first half with rank i of the second, all pairs at once.",
		"Hoefler, Mehlan, Lumsdaine, Rehm, Netgauge: a network performance measurement framework, HPCC 2007, section 3",
		PingPong{Steps: Steps{Steps: 2}, Bytes: 8, Streams: 1}, pingPong)
}

func pingPong(p *comm.Program, s PingPong) error {
	half := len(p.Ranks) / 2
	if s.Streams < 1 || s.Streams > 1<<16 {
		return fmt.Errorf("streams is %d (want 1 to %d)", s.Streams, 1<<16)
	}
	if s.Bytes > 1<<50 {
		return fmt.Errorf("bytes is %s (want at most 1024TiB)", s.Bytes)
	}
	if err := s.check(p, 4*s.Streams); err != nil {
		return err
	}
	p.Parts = 2 * s.Steps.Steps
	if half == 0 {
		return nil
	}
	if s.Bytes > 0 && int(s.Bytes) < half*s.Streams {
		s.Streams = 1
	}
	bytes := (uint64(s.Bytes) + uint64(half*s.Streams) - 1) / uint64(half*s.Streams)
	for i := range 2 * half { // the last of an odd number has no partner
		t := comm.Thread{Rank: &p.Ranks[i]}
		to := int32((i + half) % (2 * half))
		var ops []int
		send := func(tag int64) {
			for range s.Streams {
				ops = append(ops, t.Do(comm.Op{Kind: comm.Send, Peer: to, Tag: tag, Bytes: bytes}, false))
			}
		}
		receive := func(tag int64) {
			for range s.Streams {
				ops = append(ops, t.Do(comm.Op{Kind: comm.Recv, Peer: to, Tag: tag, Bytes: bytes}, false))
			}
		}
		wait := func() {
			t.Wait(ops...)
			ops = ops[:0]
		}
		for k := range s.Steps.Steps {
			t.Compute(s.Compute)
			for way := range 2 {
				tag := int64(2*k + way)
				switch first := (i < half) == (way == 0); {
				case s.Both:
					receive(tag)
					send(tag)
				case first:
					send(tag)
				default:
					receive(tag)
				}
				wait()
			}
		}
	}
	return nil
}
