package hammer

import "slices"

// rolling counts the activations of each bank (rolling accumulated activations) and asks for an RFM
// command when they reach the threshold (RAAIMT). RFM and regular refreshes take the threshold off.
//
// assumption: which row a chip mitigates is not public; here that with the highest count of a small
// table (Misra and Gries), the latest of several, whose entry is then cleared.
//
// Reference: JESD79-5C, refresh management.
type rolling struct {
	threshold int
	banks     []rolled
}

type rolled struct {
	count  int
	recent []entry // rows that were activated most
}

func newRolling(c Chip, threshold int) *rolling {
	return &rolling{threshold: threshold, banks: make([]rolled, c.Banks)}
}

// Activated implements Defence.
func (r *rolling) Activated(bank int, row uint32, _ int64) Ask {
	b := &r.banks[bank]
	b.note(row, r.threshold)
	if b.count++; b.count >= r.threshold {
		return Ask{Manage: RFMOfBank, Times: 1}
	}
	return Ask{}
}

// maxRecent is the most rows that a chip tells apart.
const maxRecent = 128

// note counts an activation in the table.
func (b *rolled) note(row uint32, threshold int) {
	for i := range b.recent {
		if b.recent[i].row == row {
			b.recent[i].count++
			return
		}
	}
	if len(b.recent) < min(threshold, maxRecent) {
		b.recent = append(b.recent, entry{row, 1})
		return
	}
	for i := range b.recent {
		b.recent[i].count--
	}
	b.recent = slices.DeleteFunc(b.recent, func(e entry) bool { return e.count == 0 })
}

// Refreshed implements Defence.
func (r *rolling) Refreshed(bank int) {
	b := &r.banks[bank]
	b.count = max(0, b.count-r.threshold)
}

// Managed implements Defence.
func (r *rolling) Managed(bank int) (row uint32, ok bool) {
	b := &r.banks[bank]
	b.count = max(0, b.count-r.threshold)
	if len(b.recent) == 0 {
		return 0, false
	}
	most := 0
	for i, e := range b.recent {
		if e.count >= b.recent[most].count {
			most = i
		}
	}
	row = b.recent[most].row
	b.recent = slices.Delete(b.recent, most, most+1)
	return row, true
}
