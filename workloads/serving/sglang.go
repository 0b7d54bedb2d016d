package serving

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
)

// Polling is the spec of sglang.
type Polling struct {
	Poll     int  `yaml:"poll" jsonschema:"minimum=1,maximum=65536" doc:"Steps of tokens from one request of the scheduler for new requests to the next (scheduler-recv-interval); after a step of prompts, and while nothing runs, it asks at once"`
	BusyPoll int  `yaml:"busy_poll" jsonschema:"minimum=0,maximum=65536" doc:"The same while busy sequences or more run, as launch scripts set it by load; 0: as poll"`
	Busy     int  `yaml:"busy" jsonschema:"minimum=0,maximum=65536" doc:"Sequences that make a server busy, see busy_poll"`
	Mixed    bool `yaml:"mixed" doc:"Steps with prompts have the tokens of running sequences too, out of the same budget (enable-mixed-chunk)"`
}

// sglang computes prompts first, in steps without tokens after the first: while a request that the
// scheduler knows of has room, no other sequence goes on. With mixed all sequences go on in each step.
type sglang struct {
	Polling
	since   int  // steps of tokens since the scheduler asked for requests
	prompts bool // the last step had prompts
}

func (r *sglang) Compose(e *Engine, s *Step, now units.Time) (budget int, short bool) {
	every := r.Poll
	if r.BusyPoll > 0 && len(e.running) >= r.Busy {
		every = r.BusyPoll
	}
	if r.prompts || len(e.running) == 0 || r.since >= every {
		r.since = 0
		e.reveal()
	}
	budget, short = e.advance(s, e.spec.Tokens, true, r.Mixed)
	if !short || len(e.running) == 0 {
		budget = e.take(s, budget, now)
	}
	if r.prompts = s.Prompts(); r.prompts || s.Tokens > 0 {
		if !r.prompts {
			r.since++
		}
		return budget, short
	}
	if _, short = e.advance(s, e.spec.Sequences, false, true); s.Tokens > 0 {
		r.since++
	} else if len(e.running) == 0 { // the last one has lost its blocks: they are free for what waits
		budget = e.take(s, budget, now)
		r.prompts = s.Tokens > 0
	}
	return budget, short
}

func (*sglang) Traits() Traits { return Traits{Polls: true, Single: true} }

func init() {
	AllRules.Add(registry.Entry[func(any) Rules]{
		Name:   "sglang",
		Doc:    "Prompts first, in steps of their own; the scheduler asks for new requests once in several steps.",
		Source: "SGLang, srt/managers/scheduler.py (get_next_batch_to_run) and scheduler_recv_skipper.py; https://docs.sglang.ai",
		Spec:   Polling{Poll: 1},
		New: func(spec any) Rules {
			p, ok := spec.(Polling)
			if !ok {
				p.Poll = 1
			}
			return &sglang{Polling: p}
		},
	})
}
