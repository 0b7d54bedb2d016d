package ranks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/workloads/comm/motif"
	"github.com/causeway-sim/causeway/workloads/player/ranks"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// pair plays a pattern on two ranks that a wire of 100 cycles joins, and returns time.
func pair(t *testing.T, name string, spec any, change func(*ranks.Spec)) float64 {
	return pairAt(t, 0, name, spec, change)
}

// pairAt is pair over a wire of some bandwidth.
func pairAt(t *testing.T, rate units.Bandwidth, name string, spec any, change func(*ranks.Spec)) float64 {
	return pairFor(t, "time", rate, name, spec, change)
}

// pairFor is pairAt for another metric.
func pairFor(t *testing.T, metric string, rate units.Bandwidth, name string, spec any, change func(*ranks.Spec)) float64 {
	e := engine.New()
	p, err := motif.Make(name, 2, spec)
	require.NoError(t, err)
	s := ranks.DefaultSpec()
	if change != nil {
		change(&s)
	}
	c := ranks.MakeBuilder().WithEngine(e).WithProgram(p).WithSpec(s).Build("Ranks")
	w := engine.NewWire("Wire", e)
	for i := range 2 {
		w.Attach(c.PortSpecs()[0].Ports[i].(*engine.Port), clock.GHz, engine.EndOptions{Latency: 100, Buffer: 8, Bandwidth: rate})
	}
	require.NoError(t, c.Start())
	require.NoError(t, e.Run())
	require.Empty(t, c.Stats().Verify())
	for _, m := range c.Stats().Metrics() {
		if m.Name == metric {
			return m.Value
		}
	}
	t.Fatal("no " + metric)
	return 0
}

// A message costs what the curve says at its size; the time of a ping_pong is one way.
func TestCostOfAMessage(t *testing.T) {
	ping := func(bytes units.Bytes, streams int, cost seat.Curve) float64 {
		return pair(t, "ping_pong", motif.PingPong{Steps: motif.Steps{Steps: 3}, Bytes: bytes, Streams: streams},
			func(s *ranks.Spec) { s.NIC.Cost, s.NIC.Eager = cost, 1<<30 })
	}
	free := ping(64, 1, nil)
	curve := seat.Curve{{Bytes: 128, Time: 40 * units.Nanosecond}, {Bytes: 1024, Time: 936 * units.Nanosecond}}
	require.Equal(t, free+40, ping(64, 1, curve), "below the first point as there")
	require.Equal(t, free+41, ping(129, 1, curve), "linear between")
	require.Equal(t, free+936+100, ping(1124, 1, curve), "and beyond")
	require.Equal(t, free+40, ping(4*64, 4, curve), "streams share the data and do not wait for each other")
}

// A send of more bytes than inject ends with the answer, a way later; the collective's
// beginning takes its start.
func TestAcknowledgedSends(t *testing.T) {
	two := func(inject units.Bytes, start seat.Curve) float64 {
		return pair(t, "all_reduce", motif.Single{Steps: motif.Steps{Steps: 1}, Bytes: 512},
			func(s *ranks.Spec) { s.NIC.Inject, s.Start = inject, start })
	}
	free := two(0, nil)
	require.Equal(t, free, two(256, nil), "messages of 256 B are injected")
	require.Equal(t, free+100, two(255, nil), "the last send ends a way later: the sums do not wait for it")
	summed := pair(t, "all_reduce", motif.Single{Steps: motif.Steps{Steps: 1}, Bytes: 512}, func(s *ranks.Spec) {
		s.Sum = seat.Curve{{Bytes: 0, Time: 0}, {Bytes: 256, Time: 50 * units.Nanosecond}}
	})
	require.Equal(t, free+50, summed, "one sum of half of the data")
	require.Equal(t, free+70, two(0, seat.Curve{{Bytes: 512, Time: 70 * units.Nanosecond}}))
}

// Feeding takes its time alone, and none besides the link's where that is slower; streams
// feed at once.
func TestFeedInPieces(t *testing.T) {
	ping := func(bytes units.Bytes, streams int, feed seat.Curve) float64 {
		return pair(t, "ping_pong", motif.PingPong{Steps: motif.Steps{Steps: 3}, Bytes: bytes, Streams: streams},
			func(s *ranks.Spec) { s.NIC.Feed, s.NIC.Piece, s.NIC.Eager = feed, 1024, 1<<30 })
	}
	free := ping(64, 1, nil)
	curve := seat.Curve{{Bytes: 0, Time: 0}, {Bytes: 1 << 20, Time: 1 << 20 * units.Nanosecond / 4}}
	require.Equal(t, free+16, ping(64, 1, curve), "one piece")
	require.Equal(t, free+1024, ping(4096, 1, curve), "four pieces, the last at the end of the time")
	require.Equal(t, free+1<<18, ping(1<<20, 1, curve), "64 pieces of 16 KiB")
	require.Equal(t, free+1024, ping(4*4096, 4, curve), "four streams at once")
}

// Messages of a sender that follow each other while they are being fed take the time of
// stream by their bytes together, each at least its own time of feed. After a pause the
// stream begins anew.
func TestStreamOfASender(t *testing.T) {
	linear := func(at units.Bytes, time units.Time) seat.Curve {
		return seat.Curve{{Bytes: 0, Time: 0}, {Bytes: at, Time: time * units.Nanosecond}}
	}
	ping := func(bytes units.Bytes, streams int, feed, stream seat.Curve) float64 {
		return pair(t, "ping_pong", motif.PingPong{Steps: motif.Steps{Steps: 3}, Bytes: bytes, Streams: streams},
			func(s *ranks.Spec) { s.NIC.Feed, s.NIC.Stream, s.NIC.Piece, s.NIC.Eager = feed, stream, 1024, 1<<30 })
	}
	none, quarter := seat.Curve{{}}, linear(1<<20, 1<<18)
	free := ping(64, 1, nil, nil)
	require.Equal(t, free+1024, ping(4096, 1, none, quarter), "alone, in each of three steps")
	require.Equal(t, free+4096, ping(4*4096, 4, none, quarter), "four messages, one after the other")
	require.Equal(t, free+4096, ping(4*4096, 1, none, quarter), "as their bytes in one message")
	require.Equal(t, free+2048, ping(4096, 1, linear(4096, 2048), quarter), "a message alone has the slower of both")
	require.Equal(t, free+4096, ping(4*4096, 4, linear(4096, 2048), quarter), "the last of four has waited longer")
	rising := seat.Curve{{Bytes: 0, Time: 0}, {Bytes: 1024, Time: 2000 * units.Nanosecond}, {Bytes: 1 << 20, Time: 2000 * units.Nanosecond}}
	require.Equal(t, free+2000, ping(4*1024, 4, none, rising), "a rise is the stream's, not each message's")
}

// On a link of 1 B per cycle a message waits for the slower of feeding and the link, and for
// the one piece with which that begins or ends.
func TestPiecesOnALink(t *testing.T) {
	ping := func(streams int, time units.Time) float64 {
		return pairAt(t, 8e9, "ping_pong", motif.PingPong{Steps: motif.Steps{Steps: 3}, Bytes: units.Bytes(streams) * 4096, Streams: streams},
			func(s *ranks.Spec) {
				s.NIC.Feed, s.NIC.Piece, s.NIC.Eager = seat.Curve{{Bytes: 0, Time: time * units.Nanosecond}}, 1024, 1<<30
			})
	}
	whole := ping(1, 0)
	require.Equal(t, whole+1024/4, ping(1, 1024), "the link, from the first piece on")
	require.Equal(t, whole-4096+8192+1024, ping(1, 8192), "feeding, and the link's time of the last piece")
	require.Equal(t, whole-4096+8192/4+4*4096, ping(4, 8192), "the link, which carries other streams between the pieces")
}

// Data of fewer bytes than streams go as one message; others go in streams.
func TestStreamsOfLessThanAByte(t *testing.T) {
	ping := func(bytes units.Bytes, streams int) float64 {
		return pair(t, "ping_pong", motif.PingPong{Steps: motif.Steps{Steps: 1}, Bytes: bytes, Streams: streams},
			func(s *ranks.Spec) { s.NIC.Overhead = units.InTime(10 * units.Nanosecond) })
	}
	require.Equal(t, ping(3, 1), ping(3, 4))
	require.Equal(t, ping(4, 1)+3*10, ping(4, 4), "one after the other")
}

// Each message has one header on the link, however many pieces it has.
func TestHeaderOfAMessage(t *testing.T) {
	bytes := func(header units.Bytes) uint64 {
		p, err := motif.Make("ping_pong", 2, motif.PingPong{Steps: motif.Steps{Steps: 1}, Bytes: 4096, Streams: 1})
		require.NoError(t, err)
		e := engine.New()
		s := ranks.DefaultSpec()
		s.NIC.Feed, s.NIC.Piece, s.NIC.Header = seat.Curve{{Bytes: 0, Time: 0}}, 1024, header
		c := ranks.MakeBuilder().WithEngine(e).WithProgram(p).WithSpec(s).Build("Ranks")
		w := engine.NewWire("Wire", e)
		for i := range 2 {
			w.Attach(c.PortSpecs()[0].Ports[i].(*engine.Port), clock.GHz, engine.EndOptions{Latency: 100, Buffer: 8})
		}
		require.NoError(t, c.Start())
		require.NoError(t, e.Run())
		require.Empty(t, c.Stats().Verify())
		sum := uint64(0)
		for _, row := range c.Layers().Rows {
			sum += row[len(row)-1].(uint64)
		}
		return sum
	}
	require.Equal(t, uint64(2*4096), bytes(0))
	require.Equal(t, uint64(2*(4096+300)), bytes(300))
}

// Memory of the library and a start of the algorithm come before the collective, each by
// its curve; of a list the first algorithm that is for so many bytes and ranks is taken.
func TestAlgorithmsThatCost(t *testing.T) {
	two := func(text string, scratch seat.Curve) float64 {
		v, err := configs.ParseValue("a.yaml", []byte("a: "+text))
		require.NoError(t, err)
		var a seat.Algorithm
		require.NoError(t, v.Get("a").Decode(&a))
		return pair(t, "all_reduce", motif.Single{Steps: motif.Steps{Steps: 1}, Bytes: 512}, func(s *ranks.Spec) {
			s.Collectives.AllReduce, s.Scratch = a, scratch
		})
	}
	curve := seat.Curve{{Bytes: 0, Time: 0}, {Bytes: 1024, Time: 100 * units.Nanosecond}}
	ring, doubling := two("ring", nil), two("recursive_doubling", nil)
	require.NotEqual(t, ring, doubling)
	require.Equal(t, ring+50, two("{name: ring, scratch: 1}", curve))
	require.Equal(t, ring+25, two("{name: ring, scratch: 0.5}", curve))
	require.Equal(t, ring+7, two("{name: ring, start: [{bytes: 512B, time: 7ns}]}", nil))
	require.Equal(t, ring, two("{name: ring, copies: 3}", nil), "memory takes no time")
	require.Equal(t, doubling, two("[{upto: 512B, name: recursive_doubling}, ring]", nil))
	require.Equal(t, ring, two("[{upto: 511B, name: recursive_doubling}, ring]", nil))
	require.Equal(t, doubling, two("[{upto: 511B, name: ring}, {ranks: 2, name: recursive_doubling}, ring]", nil))
	require.Equal(t, ring, two("[{ranks: 1, name: recursive_doubling}, ring]", nil))
}

// What a library copies besides takes two passes over the memory of a rank, or the time of
// copy, by the algorithm that is chosen.
func TestCopiesOfALibrary(t *testing.T) {
	var curve seat.Curve
	two := func(text string) float64 {
		v, err := configs.ParseValue("a.yaml", []byte("a: "+text))
		require.NoError(t, err)
		var a seat.Algorithm
		require.NoError(t, v.Get("a").Decode(&a))
		return pair(t, "all_reduce", motif.Single{Steps: motif.Steps{Steps: 1}, Bytes: 512}, func(s *ranks.Spec) {
			s.Collectives.AllReduce, s.Memory, s.Copy = a, 8*32e9, curve // 32 B a cycle
		})
	}
	ring := two("ring")
	require.Equal(t, ring+2*512/32, two("{name: ring, copies: 1}"))
	require.Equal(t, ring+3*2*512/32, two("{name: ring, copies: 3}"))
	require.Equal(t, ring+2*512/32, two("[{upto: 511B, name: recursive_doubling}, {name: ring, copies: 1}]"))
	require.Equal(t, ring, two("[{upto: 511B, name: recursive_doubling, copies: 9}, ring]"))
	curve = seat.Curve{{Bytes: 256, Time: 0}, {Bytes: 1024, Time: 90 * units.Nanosecond}}
	require.Equal(t, ring+2*30, two("{name: ring, copies: 2}"), "in place of memory")
}

// A list says what is never chosen, and memory that nothing charges for is an error.
func TestChoicesThatAreWrong(t *testing.T) {
	for text, want := range map[string]string{
		"[]":                            "a.yaml:1:4: a: is empty (want an algorithm)",
		"[ring, recursive_doubling]":    "has neither upto nor ranks: what follows is never chosen",
		"[{upto: 1KiB, name: ring}]":    "the last of a list is for all that is left, without upto and ranks",
		"[{upto: 0B, name: ring}, tto]": "upto: is 0B (want 1B at least)",
		"[{ranks: 0, name: ring}, tto]": "ranks: is 0 (want 1 at least)",
		"[{upto: 1KiB, nam: ring}]":     "nam",
		"{name: ring, copies: -1}":      "copies: is -1 (want 0 to 1024)",
		"{name: ring, copies: 1.5}":     "copies",
	} {
		v, err := configs.ParseValue("a.yaml", []byte("a: "+text))
		require.NoError(t, err)
		var a seat.Algorithm
		require.ErrorContains(t, v.Get("a").Decode(&a), want, text)
	}
	p, err := motif.Make("all_reduce", 2, motif.Single{Steps: motif.Steps{Steps: 1}, Bytes: 512})
	require.NoError(t, err)
	s := ranks.DefaultSpec()
	s.Collectives.AllReduce = seat.Algorithm{Name: "ring", Spec: collective.RingSpec{Pipeline: collective.Pipeline{Chunks: 1, Scratch: 1}}}
	_, err = ranks.New("Ranks", engine.New(), s, p)
	require.ErrorContains(t, err, "whose algorithm has scratch 1: no effect where nothing says what memory costs")
}
