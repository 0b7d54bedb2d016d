package item

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/task"
)

// Texts by which a server says that a step has brought a token to a request.
const tokenWords = "computes a token"

// findRequest is a request, or what its token took.
func findRequest(res *result.Result, r *recorder, q Query) (*found, error) {
	if q.Request >= len(r.requests) {
		return nil, outside("request", q.Request, len(r.requests))
	}
	f := &found{id: r.requests[q.Request]}
	f.node = r.nodes[f.id.Node()].Name()
	f.from = r.begun[f.id]
	for i, id := range r.ids {
		if id == f.id {
			f.to = r.spans[i].End
		}
	}
	f.name = fmt.Sprintf("request %d of %s", q.Request, f.node)
	served := tableRow(res, q.Request)
	if served != nil {
		if v, ok := served.number("arrival"); ok {
			f.from = ofNanoseconds(v)
		}
		if v, ok := served.number("end"); ok {
			f.to = ofNanoseconds(v)
		}
		if s := served.text("state"); s != "" && s != "done" {
			return nil, fmt.Errorf("%s was %s: it has no latency", f.name, s)
		}
		if v, ok := served.number("first_token"); ok {
			return f.token(r, q, served, ofNanoseconds(v))
		}
	}
	if q.Token != 0 && q.Token != WholeRequest {
		return nil, fmt.Errorf("%w: %s has no tokens (--token is of a server's requests)", ErrUnknown, f.name)
	}
	if f.to <= f.from {
		return nil, fmt.Errorf("%s has not ended", f.name)
	}
	return f, nil
}

// outside is the error of a number that no item has.
func outside(what string, n, all int) error {
	if all == 0 {
		return fmt.Errorf("%w: %s %d (the run has no %ss)", ErrUnknown, what, n, what)
	}
	return fmt.Errorf("%w: %s %d (want one of 0 to %d)", ErrUnknown, what, n, all-1)
}

// findTask is the n-th of some tasks.
func findTask(r *recorder, all []task.ID, n int, what string) (*found, error) {
	if n >= len(all) {
		return nil, outside(what, n, len(all))
	}
	f := &found{id: all[n]}
	f.node = r.nodes[f.id.Node()].Name()
	i := slices.Index(r.ids, f.id)
	if i < 0 {
		return nil, fmt.Errorf("%s %d of %s has not ended", what, n, f.node)
	}
	s := &r.spans[i]
	f.name, f.from, f.to = fmt.Sprintf("%s %d, %s on %s", what, n, s.What, f.node), s.Begin, s.End
	return f, nil
}

// token is the time of one token of a request that was served.
func (f *found) token(r *recorder, q Query, served *row, first int64) (*found, error) {
	last, _ := served.number("last_token")
	if q.Token == 0 {
		f.name, f.to = "time to first token of "+f.name, first
		return f, nil
	}
	if q.Token == WholeRequest {
		f.name, f.to = "all tokens of "+f.name, ofNanoseconds(last)
		return f, nil
	}
	at := first
	var ends []int64
	for _, c := range r.causes[f.id] {
		if strings.HasPrefix(c.what, tokenWords) && c.to > first {
			ends = append(ends, c.to)
		}
	}
	pick := q.Token - 1
	if q.Token == Slowest {
		longest := int64(-1)
		for i, end := range ends {
			if end-at > longest {
				longest, pick = end-at, i
			}
			at = end
		}
	}
	if pick < 0 || pick >= len(ends) {
		return nil, fmt.Errorf("%w: token %d of %s (it has tokens 0, the first, to %d)", ErrUnknown, q.Token, f.name, len(ends))
	}
	f.from, f.to = first, ends[pick]
	if pick > 0 {
		f.from = ends[pick-1]
	}
	f.name = fmt.Sprintf("token %d of %s", pick+1, f.name)
	if q.Token == Slowest {
		f.notes = append(f.notes, "the slowest of its tokens after the first")
	}
	return f, nil
}

// tableRow is the row of a request in requests.csv; nil without one.
func tableRow(res *result.Result, request int) *row {
	if res.Requests == nil {
		return nil
	}
	for n := range res.Requests.Len() {
		w := row{Table: res.Requests, at: n}
		if v, ok := w.number("request"); ok && int(v) == request {
			return &w
		}
	}
	return nil
}

var _ task.Explainer = (*recorder)(nil)
