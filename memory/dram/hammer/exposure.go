package hammer

// An Exposure counts activations by row. It takes 8 bytes per row of banks that are used.
type Exposure struct {
	Rows int // most activations of one row since its last refresh
	Near int // most activations of the neighbours of a row since its last refresh

	rows, step int
	banks      []bankRows
}

// A bankRows is the rows of a bank, nil until its first activation.
type bankRows struct {
	own, near []uint32
	next      int // row that is next in a regular refresh
}

// NewExposure counts for a chip.
func NewExposure(c Chip) *Exposure {
	return &Exposure{rows: c.Rows, step: max(1, c.Rows/c.Refreshes), banks: make([]bankRows, c.Banks)}
}

// Activate notes an activation, by a request or to refresh the row: either refreshes the row itself.
func (e *Exposure) Activate(bank int, row uint32) {
	b := &e.banks[bank]
	if b.own == nil {
		b.own, b.near = make([]uint32, e.rows), make([]uint32, e.rows)
	}
	b.near[row] = 0
	b.own[row]++
	e.Rows = max(e.Rows, int(b.own[row]))
	if row > 0 {
		b.near[row-1]++
		e.Near = max(e.Near, int(b.near[row-1]))
	}
	if int(row)+1 < e.rows {
		b.near[row+1]++
		e.Near = max(e.Near, int(b.near[row+1]))
	}
}

// Inside notes that a chip refreshes a row by itself, in an RFM command.
func (e *Exposure) Inside(bank int, row uint32) {
	if b := &e.banks[bank]; b.own != nil && int(row) < e.rows {
		b.own[row], b.near[row] = 0, 0
	}
}

// Refreshed notes a regular refresh of a bank, which goes on with the next rows. Of banks that are
// not used it notes the place alone.
func (e *Exposure) Refreshed(bank int) {
	b := &e.banks[bank]
	if b.own != nil {
		clear(b.own[b.next : b.next+e.step])
		clear(b.near[b.next : b.next+e.step])
	}
	if b.next += e.step; b.next+e.step > e.rows {
		b.next = 0
	}
}
