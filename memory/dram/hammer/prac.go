package hammer

// prac counts the activations of every row in the chip (per row activation counting). A row that
// reaches the threshold raises an alert, after which the controller sends RFM commands to all banks
// of the rank; in each of them every bank refreshes the neighbours of its row with the highest count
// and clears that count.
//
// assumption: a bank knows the row that had most activations when it was activated last, not the
// next ones after it; these alert when they are activated again.
//
// Reference: JESD79-5C, PRAC and alert back-off (ABO).
type prac struct {
	threshold, times int
	rows             int
	banks            []counted
}

type counted struct {
	counts []uint32 // nil until the first activation
	row    uint32
	most   uint32 // of row
}

func newPRAC(c Chip, threshold, times int) *prac {
	return &prac{threshold: threshold, times: times, rows: c.Rows, banks: make([]counted, c.Banks)}
}

// Activated implements Defence.
func (p *prac) Activated(bank int, row uint32, _ int64) Ask {
	b := &p.banks[bank]
	if b.counts == nil {
		b.counts = make([]uint32, p.rows)
	}
	b.counts[row]++
	if n := b.counts[row]; n >= b.most {
		b.row, b.most = row, n
	}
	if int(b.counts[row]) >= p.threshold {
		return Ask{Manage: RFMOfRank, Times: p.times}
	}
	return Ask{}
}

// Refreshed implements Defence: counts stay, as the standard has it.
func (*prac) Refreshed(int) {}

// Managed implements Defence.
func (p *prac) Managed(bank int) (row uint32, ok bool) {
	b := &p.banks[bank]
	if b.most == 0 {
		return 0, false
	}
	row = b.row
	b.counts[row], b.most = 0, 0
	return row, true
}
