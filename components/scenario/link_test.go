package scenario_test

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/scenario"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// wire is the sink of one CXL link: the receiver keeps each message for some time, then its buffer is free.
type wire struct {
	l             *link.Link
	hold, latency int64
	due           []release
	out           strings.Builder
}

type release struct {
	at int64
	c  flit.Class
}

func (w *wire) say(at int64, format string, args ...any) {
	fmt.Fprintf(&w.out, "%9.2f ns  %s\n", float64(at)/1000, fmt.Sprintf(format, args...))
}

func (w *wire) Departed(m *flit.Message, at int64) { w.say(at, "%s %d leaves", m.Class, m.Ref) }

func (w *wire) Arrived(m *flit.Message, at link.Times) {
	late := ""
	if at.Sent+w.latency < at.At {
		late = ", after a replay"
	}
	w.say(at.At, "%s %d arrives%s", m.Class, m.Ref, late)
	w.due = append(w.due, release{at.At + w.hold, m.Class})
}

func (w *wire) ArrivedIO(flit.Direction, uint32, link.Times) {}

// playLink pushes messages into a CXL link. The system gives lanes, latency_ps, ber (of the way down), seed,
// hold_ps and the credits of classes; a line of play is the ps, the class and the number of a message.
func playLink(s *scenario.Scenario) (string, error) {
	cfg, w := link.DefaultConfig(), &wire{}
	for _, l := range s.System {
		if err := w.configure(&cfg, l); err != nil {
			return "", err
		}
	}
	var err error
	if w.l, err = link.New(cfg, w); err != nil {
		return "", err
	}
	w.latency = cfg.Latency
	play := s.Play
	for n := uint32(1); ; {
		t := w.l.Next()
		if len(w.due) > 0 {
			t = min(t, w.due[0].at)
		}
		if len(play) > 0 {
			f := play[0].Words()
			at, err := play[0].Number(f[0])
			if err != nil {
				return "", err
			}
			if int64(at) <= t {
				c, err := classOf(play[0], f[len(f)-1])
				if err != nil {
					return "", err
				}
				w.l.Push(int64(at), flit.Message{Class: c, Ref: n})
				n++
				play = play[1:]
				continue
			}
		}
		if t == link.Never {
			break
		}
		if len(w.due) > 0 && w.due[0].at == t {
			w.say(t, "a buffer of %s is free", w.due[0].c)
			w.l.Release(t, w.due[0].c)
			w.due = w.due[1:]
			continue
		}
		w.l.Run(t)
	}
	for d, name := range []string{"down", "up"} {
		c := &w.l.Count[d]
		fmt.Fprintf(&w.out, "%s: %d flits, %d for credits and Acks alone, %d wrong, %d replays of %d flits, %d frames of retry\n", name, c.Flits, c.Control, c.Wrong, c.Replays, c.Replayed, c.Frames)
	}
	return w.out.String(), nil
}

func classOf(l scenario.Line, name string) (flit.Class, error) {
	for c := range flit.Classes {
		if c.String() == name {
			return c, nil
		}
	}
	return 0, l.Errorf("no class %q", name)
}

func (w *wire) configure(cfg *link.Config, l scenario.Line) error {
	f := l.Words()
	if f[0] == "ber" {
		p, err := strconv.ParseFloat(f[1], 64)
		cfg.BER[flit.Down] = p
		return err
	}
	n, err := l.Number(f[1])
	if err != nil {
		return err
	}
	switch f[0] {
	case "lanes":
		cfg.Lanes = int(n)
	case "latency_ps":
		cfg.Latency = int64(n)
	case "hold_ps":
		w.hold = int64(n)
	case "seed":
		cfg.Seed = n
	case "retry":
		cfg.Retry = int(n)
	default:
		c, err := classOf(l, f[0])
		if err != nil {
			return err
		}
		cfg.Credits[c] = int(n)
	}
	return nil
}
