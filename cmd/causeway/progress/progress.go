package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"

	"github.com/causeway-sim/causeway/components/experiment"
)

// A Meter shows how far a command is: a bar with the time left on a terminal, a
// line every ten seconds elsewhere, nothing if quiet. Short commands show
// nothing at all.
type Meter struct {
	mu      sync.Mutex
	w       io.Writer
	quiet   bool
	tty     bool
	started time.Time
	last    time.Time
	bar     progress.Writer
	tracker *progress.Tracker
}

const (
	barAfter  = 500 * time.Millisecond // a bar for less would only flicker
	lineEvery = 10 * time.Second
)

// NewMeter makes a meter that prints on w; a quiet one prints nothing.
func NewMeter(w io.Writer, quiet bool) *Meter {
	m := &Meter{w: w, quiet: quiet, started: time.Now()}
	m.last = m.started
	if f, ok := w.(*os.File); ok {
		if st, err := f.Stat(); err == nil && st.Mode()&os.ModeCharDevice != 0 {
			m.tty = true
		}
	}
	return m
}

// Run shows the progress of a run: its work, the simulated time and its rate, and what is done.
func (m *Meter) Run(l experiment.Live) {
	var more []string
	if l.Time > 0 && l.Spent > 0 {
		more = append(more, fmt.Sprintf("%s simulated (%s a second)", span(l.Time), span(l.Time/l.Spent)))
	}
	if l.At != "" {
		more = append(more, l.At)
	}
	m.Update(l.What, l.Done, l.Total, more...)
}

// span is a simulated time with four digits.
func span(ns float64) string {
	unit := "ns"
	for _, u := range []string{"us", "ms", "s"} {
		if ns < 1000 {
			break
		}
		ns, unit = ns/1000, u
	}
	return fmt.Sprintf("%.4g %s", ns, unit)
}

// Update shows done of total in the unit what, followed by the texts of more.
func (m *Meter) Update(what string, done, total int64, more ...string) {
	if m.quiet || total <= 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if !m.tty {
		if now.Sub(m.last) >= lineEvery {
			m.last = now
			spent := now.Sub(m.started)
			left := "unknown"
			if done > 0 {
				left = (time.Duration(float64(spent) * float64(total-done) / float64(done))).Round(time.Second).String()
			}
			fmt.Fprintf(m.w, "%s: %d of %d (%.0f %%), %s gone, %s left%s\n", what, done, total, 100*float64(done)/float64(total), spent.Round(time.Second), left, list(more))
		}
		return
	}
	if m.bar == nil {
		if now.Sub(m.started) < barAfter {
			return
		}
		m.bar = progress.NewWriter()
		m.bar.SetOutputWriter(m.w)
		m.bar.SetAutoStop(false)
		m.bar.SetUpdateFrequency(100 * time.Millisecond)
		m.bar.Style().Visibility.ETA = true
		m.bar.Style().Visibility.Value = true
		m.tracker = &progress.Tracker{Message: what, Total: total}
		m.bar.AppendTracker(m.tracker)
		go m.bar.Render()
	}
	m.tracker.UpdateMessage(what + list(more))
	m.tracker.UpdateTotal(total)
	m.tracker.SetValue(done)
}

// list is what follows after commas.
func list(more []string) string {
	if len(more) == 0 {
		return ""
	}
	return ", " + strings.Join(more, ", ")
}

// Done removes the bar.
func (m *Meter) Done() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.bar == nil {
		return
	}
	m.tracker.MarkAsDone()
	m.bar.Stop()
	for m.bar.IsRenderInProgress() {
		time.Sleep(5 * time.Millisecond)
	}
	m.bar = nil
}
