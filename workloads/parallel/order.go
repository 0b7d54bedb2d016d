package parallel

import "fmt"

// The orders in which a stage works on the microbatches of a step.
const (
	GPipe       = "gpipe"       // all forward passes, then all backward passes from the last on
	OneFOneB    = "1f1b"        // at most as many microbatches in flight as the pipeline has stages
	Interleaved = "interleaved" // 1f1b of several chunks of the model per stage
)

// Schedules lists the orders of microbatches.
var Schedules = []string{GPipe, OneFOneB, Interleaved}

// A turn is a pass of one microbatch through one chunk of a stage.
type turn struct {
	backward     bool
	chunk, micro int
}

// turns is the order of the passes of a stage, of so many stages.
//
// Sources: Huang et al., GPipe, NeurIPS 2019, figure 2c; Narayanan et al., SC 2021, section
// 2.2 (1f1b and interleaved), whose warm-up passes are those of Megatron-LM:
// (stages - 1 - stage) without chunks, else twice as many and stages for each chunk but one; one more
// where a pass forward and one back are combined.
func turns(schedule string, stage, stages, micro, chunks int, combined bool) ([]turn, error) {
	if schedule != Interleaved && chunks > 1 {
		return nil, fmt.Errorf("%d chunks per stage go with schedule %s", chunks, Interleaved)
	}
	total := micro * chunks
	warm := total
	forward := func(i int) turn { return turn{micro: i} }
	backward := func(i int) turn { return turn{backward: true, micro: i} }
	switch schedule {
	case GPipe:
		backward = func(i int) turn { return turn{backward: true, micro: micro - 1 - i} }
	case OneFOneB:
		warm = min(total, stages-1-stage)
	case Interleaved:
		if micro%stages != 0 {
			return nil, fmt.Errorf("%d microbatches do not divide by %d stages, as schedule %s wants", micro, stages, schedule)
		}
		if micro > stages {
			warm = min(total, 2*(stages-1-stage)+(chunks-1)*stages)
		}
		at := func(i int) (chunk, m int) {
			round := stages * chunks
			return i % round / stages, i/round*stages + i%stages
		}
		forward = func(i int) turn { c, m := at(i); return turn{chunk: c, micro: m} }
		backward = func(i int) turn { c, m := at(i); return turn{true, chunks - 1 - c, m} }
	default:
		return nil, fmt.Errorf("unknown schedule %q (want one of: %v)", schedule, Schedules)
	}
	if combined {
		warm = min(total, warm+1)
	}
	var out []turn
	for i := range warm {
		out = append(out, forward(i))
	}
	for i := range total - warm {
		out = append(out, forward(warm+i), backward(i))
	}
	for i := total - warm; i < total; i++ {
		out = append(out, backward(i))
	}
	return out, nil
}

// mostHeld is the most that passes have kept at a time that have gone forward and not back,
// of which each keeps what its chunk does.
func mostHeld(all []turn, chunk func(int) int64) (most int64) {
	var now int64
	for _, t := range all {
		if t.backward {
			now -= chunk(t.chunk)
		} else {
			now += chunk(t.chunk)
		}
		most = max(most, now)
	}
	return most
}
