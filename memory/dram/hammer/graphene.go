package hammer

// graphene counts the rows of a bank that are activated most in a table (Misra and Gries), and
// refreshes both neighbours of a row whenever its count reaches a multiple of the threshold. The
// tables are cleared once in a refresh window.
//
// Reference: Park et al., MICRO 2020, sections IV-A and IV-B, with one reset in a window.
type graphene struct {
	threshold, size, refreshes int
	rows                       int
	banks                      []table
}

// A table is the entries of a bank.
type table struct {
	entries []entry
	at      []uint16 // by row: index of its entry plus 1; nil until the first activation
	spill   int      // no row without an entry was activated more often
	low     int      // entries whose count is spill
	scan    int      // where the search for one of them goes on
	seen    int      // refreshes since the table was cleared
}

type entry struct {
	row   uint32
	count int
}

// maxEntries is bounded by the type of table.at.
const maxEntries = 1<<16 - 1

func newGraphene(c Chip, threshold, size int) *graphene {
	return &graphene{threshold: threshold, size: min(size, maxEntries), refreshes: c.Refreshes, rows: c.Rows, banks: make([]table, c.Banks)}
}

// Activated implements Defence.
func (g *graphene) Activated(bank int, row uint32, _ int64) Ask {
	t := &g.banks[bank]
	if t.at == nil {
		t.at = make([]uint16, g.rows)
		t.entries = make([]entry, 0, g.size)
	}
	i := int(t.at[row]) - 1
	switch {
	case i >= 0:
		if t.entries[i].count == t.spill {
			t.low--
		}
	case len(t.entries) < g.size:
		i = len(t.entries)
		t.entries = append(t.entries, entry{row: row})
		t.at[row] = uint16(i + 1)
	case t.low == 0:
		t.spill++
		t.recount()
		return Ask{}
	default:
		for t.entries[t.scan].count != t.spill {
			t.scan = (t.scan + 1) % len(t.entries)
		}
		i = t.scan
		t.low--
		t.at[t.entries[i].row] = 0
		t.entries[i].row, t.at[row] = row, uint16(i+1)
	}
	t.entries[i].count++
	hot := t.entries[i].count%g.threshold == 0
	return Ask{Low: hot, High: hot}
}

// recount counts the entries that the next row may replace.
func (t *table) recount() {
	t.low = 0
	for i := range t.entries {
		if t.entries[i].count == t.spill {
			t.low++
		}
	}
}

// Refreshed implements Defence.
func (g *graphene) Refreshed(bank int) {
	t := &g.banks[bank]
	if t.seen++; t.seen < g.refreshes {
		return
	}
	for _, e := range t.entries {
		t.at[e.row] = 0
	}
	*t = table{at: t.at, entries: t.entries[:0]}
}

// Managed implements Defence.
func (*graphene) Managed(int) (uint32, bool) { return 0, false }
