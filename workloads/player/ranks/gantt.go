package ranks

import "github.com/causeway-sim/causeway/components/stats"

// gantt records when ranks computed, and how long receives waited for which rank: a Gantt chart.
// The zero value records nothing.
type gantt struct {
	on    bool
	since map[token]uint64 // cycle in which a receive was posted
	sent  map[token]uint64 // cycle in which its send began, once they have met
	rows  []interval
}

// An interval of a rank. A receive that waited has the cycle in which its sender began:
// until then the sender was late.
type interval struct {
	rank, from       int32 // from: whom it waited for; -1: it computed
	begin, sent, end uint64
}

// maxIntervals is the greatest number of intervals that are kept.
const maxIntervals = 8000

// post notes a receive that finds no message.
func (w *gantt) post(at token, now uint64) {
	if w.on {
		w.since[at] = now
	}
}

// met records that the message or its request to send has arrived.
func (w *gantt) met(at token, m *Message) {
	if w.on {
		w.sent[at] = m.since
	}
}

// over notes that the message has been received.
func (w *gantt) over(at token, from int32, now uint64) {
	if !w.on {
		return
	}
	begin, posted := w.since[at]
	sent := w.sent[at]
	delete(w.since, at)
	delete(w.sent, at)
	if posted && now > begin {
		w.add(interval{at.rank, from, begin, min(max(begin, sent), now), now})
	}
}

// computed notes a computation.
func (w *gantt) computed(rank int32, begin, end uint64) {
	if w.on && end > begin {
		w.add(interval{rank, -1, begin, begin, end})
	}
}

// add keeps an interval; after the last one nothing is noted any more.
func (w *gantt) add(x interval) {
	w.rows = append(w.rows, x)
	w.on = len(w.rows) < maxIntervals
}

// RecordDetail implements system.Detailed.
func (c *Comp) RecordDetail() {
	c.gantt = gantt{on: true, since: map[token]uint64{}, sent: map[token]uint64{}}
}

// Detail implements system.Detailed: a row for each interval in which a rank computed or
// waited for a message.
func (c *Comp) Detail() (string, *stats.Table) {
	t := &stats.Table{Columns: []stats.Column{
		{Name: "rank", Unit: stats.One}, {Name: "from", Unit: stats.One, Text: "Rank that it waited for; -1: it computed."},
		{Name: "begin", Unit: stats.NS}, {Name: "sent", Unit: stats.NS, Text: "When the send began: until then the sender was late."}, {Name: "end", Unit: stats.NS},
	}}
	ns := c.Clock().Nanoseconds
	for _, r := range c.gantt.rows {
		t.Append(int64(r.rank), int64(r.from), ns(r.begin), ns(r.sent), ns(r.end))
	}
	return "intervals", t
}
