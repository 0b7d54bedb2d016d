package coherence

// accesses are lists of accesses that wait.
type accesses struct {
	all   []waiter
	spare []int32
}

// push puts an access after those from first to last; -1 is an empty list.
func (q *accesses) push(first, last *int32, w waiter) {
	var i int32
	if n := len(q.spare); n > 0 {
		i = q.spare[n-1]
		q.spare = q.spare[:n-1]
	} else {
		i = int32(len(q.all))
		q.all = append(q.all, waiter{})
	}
	w.next = -1
	q.all[i] = w
	if *first < 0 {
		*first = i
	} else {
		q.all[*last].next = i
	}
	*last = i
}

// pop removes and returns the first of a list.
func (q *accesses) pop(first *int32) waiter {
	w := q.all[*first]
	q.spare = append(q.spare, *first)
	*first = w.next
	return w
}
