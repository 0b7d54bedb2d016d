package hammer

// hydra counts activations by group of rows in the controller, and by row in memory from the time
// on at which the group of a row is full. A cache in the controller holds counters of rows. A miss
// reads the burst with the counter, and the counter that it replaces is written. Counters of a
// group are written when the group is full. Both neighbours of a row whose count reaches the threshold are
// refreshed, and its count starts anew. All counts start anew once in a refresh window.
//
// Deviations: a count is up to date when the row is opened; the read of it delays no refresh. A
// write of one counter is one burst, as of a chip with data masks.
//
// Reference: Qureshi et al., ISCA 2022, sections 4.1 to 4.6; caches of 16 ways with SRRIP.
type hydra struct {
	threshold, full int // activations of a row, and of a group
	group           int // rows
	rows, refreshes int
	table           counterTable
	cache           countCache
	banks           []groups
	accesses        []Access
}

// A groups is the counts of a bank.
type groups struct {
	group  []int32 // by group of rows; nil until the first activation
	counts []int32 // by row: of groups that are full, in memory or in the cache
	opened []int32 // activations of rows that hold counters, by row from the first of them on
	seen   int     // refreshes since the counts were cleared
}

func newHydra(c Chip, threshold, group, entries int) *hydra {
	h := &hydra{threshold: threshold, full: max(1, threshold*4/5), group: group, rows: c.Rows, refreshes: c.Refreshes, banks: make([]groups, c.Banks)}
	h.table = newCounterTable(c, threshold)
	h.cache = newCountCache(entries)
	h.accesses = make([]Access, 0, 2+(group*h.table.bytes+c.Burst-1)/c.Burst)
	return h
}

// Activated implements Defence.
func (h *hydra) Activated(bank int, row uint32, _ int64) Ask {
	b := &h.banks[bank]
	if b.group == nil {
		b.group = make([]int32, (h.rows+h.group-1)/h.group)
		b.counts = make([]int32, h.rows)
		b.opened = make([]int32, h.rows-h.table.first)
	}
	if at := int(row) - h.table.first; at >= 0 {
		return h.hot(&b.opened[at])
	}
	h.accesses = h.accesses[:0]
	g := int(row) / h.group
	switch n := &b.group[g]; {
	case int(*n) < h.full:
		*n++
		return Ask{}
	case int(*n) == h.full:
		*n++
		h.begin(bank, g)
	}
	h.fetch(bank, row)
	ask := h.hot(&b.counts[row])
	ask.Accesses = h.accesses
	return ask
}

// hot counts an activation, and asks for refreshes if it is the last before the threshold.
func (h *hydra) hot(n *int32) Ask {
	if *n++; int(*n) < h.threshold {
		return Ask{}
	}
	*n = 0
	return Ask{Low: true, High: true}
}

// begin sets the counters of a group to what the group has counted.
func (h *hydra) begin(bank, group int) {
	counts := h.banks[bank].counts
	from, to := group*h.group, min((group+1)*h.group, h.rows)
	for i := range counts[from:to] {
		counts[from+i] = int32(h.full)
	}
	last := -1
	for row := from; row < to; row++ {
		if l := h.table.line(bank, row); l != last {
			h.accesses = append(h.accesses, h.table.access(l, true))
			last = l
		}
	}
}

// fetch brings the counter of a row into the cache.
func (h *hydra) fetch(bank int, row uint32) {
	out, hit := h.cache.use(bank*h.rows + int(row))
	if hit {
		return
	}
	h.accesses = append(h.accesses, h.table.access(h.table.line(bank, int(row)), false))
	if out >= 0 {
		h.accesses = append(h.accesses, h.table.access(h.table.line(out/h.rows, out%h.rows), true))
	}
}

// Refreshed implements Defence.
func (h *hydra) Refreshed(bank int) {
	b := &h.banks[bank]
	if b.seen++; b.seen < h.refreshes {
		return
	}
	b.seen = 0
	clear(b.group)
	clear(b.opened)
	h.cache.drop(bank*h.rows, (bank+1)*h.rows)
}

// Managed implements Defence.
func (*hydra) Managed(int) (uint32, bool) { return 0, false }
