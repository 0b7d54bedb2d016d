package inorder

import "github.com/causeway-sim/causeway/components/stats"

// rows are the finished operators. Repeated operators of equal cost share one entry, with the
// start cycle of each repetition, and its name where names are kept apart.
type rows[L Layer] struct {
	start func(*L) *uint64 // its cycle of start; nil: rows are kept whole
	name  func(*L) *string // with start: its name; nil: names are parts of forms
	forms []L              // different ones, with start 0
	at    map[L]int32      // of forms
	done  []doneAt
	names []string // with name: of done
}

// doneAt is one row: a form, and the cycle in which it began.
type doneAt struct {
	start uint64
	form  int32
}

func (r *rows[L]) add(l L) {
	var d doneAt
	if r.start == nil {
		d.form = int32(len(r.forms))
		r.forms = append(r.forms, l)
		r.done = append(r.done, d)
		return
	}
	s := r.start(&l)
	d.start, *s = *s, 0
	if r.name != nil {
		n := r.name(&l)
		r.names = append(r.names, *n)
		*n = ""
	}
	form, ok := r.at[l]
	if !ok {
		form = int32(len(r.forms))
		r.forms = append(r.forms, l)
		r.note(l, form)
	}
	d.form = form
	r.done = append(r.done, d)
}

// unlike is the number of forms from which on rows of which half are forms are taken to repeat
// too rarely for a map of them, as those of recorded programs do.
const unlike = 256

func (r *rows[L]) note(l L, form int32) {
	switch {
	case form == unlike && 2*unlike > len(r.done):
		r.at = nil
	case form == 0:
		r.at = map[L]int32{l: form}
	case r.at != nil:
		r.at[l] = form
	}
}

func (r *rows[L]) row(i int) L {
	l := r.forms[r.done[i].form]
	if r.start != nil {
		*r.start(&l) = r.done[i].start
	}
	if r.name != nil {
		*r.name(&l) = r.names[i]
	}
	return l
}

// Rows returns the finished operators, in order.
func (x *Executor[L]) Rows() []L {
	out := make([]L, len(x.rows.done))
	for i := range out {
		out[i] = x.rows.row(i)
	}
	return out
}

// RowBytes implements system.Compact: the bytes of memory that a finished operator takes.
func (x *Executor[L]) RowBytes() int {
	if x.rows.start != nil {
		return 96
	}
	return 600
}

// Any reports whether f holds for any of the different operators; with Model.Start and Model.Name
// they have neither.
func (x *Executor[L]) Any(f func(*L) bool) bool {
	for i := range x.rows.forms {
		if f(&x.rows.forms[i]) {
			return true
		}
	}
	return false
}

// Table returns a row per finished operator; cells makes the cells of one. With Model.Start only
// the cell in column start may depend on the operator's start, with Model.Name only that in column
// layer on its name.
func (x *Executor[L]) Table(columns []stats.Column, cells func(*L) []any) *stats.Table {
	r := &x.rows
	of := stats.Table{Columns: columns}
	start, name := of.Index("start"), of.Index("layer")
	known := make([][]any, len(r.forms))
	for i := range known {
		known[i] = cells(&r.forms[i])
	}
	// Cells of a row are made once: rows are read many times.
	starts, names := make([]any, len(r.done)), make([]any, len(r.names))
	for i := range r.done {
		starts[i] = r.done[i].start
	}
	for i, n := range r.names {
		names[i] = n
	}
	return stats.View(columns, len(r.done), func(i int, row []any) {
		copy(row, known[r.done[i].form])
		if r.start != nil {
			row[start] = starts[i]
		}
		if r.name != nil {
			row[name] = names[i]
		}
	})
}
