package systolic

// A cause is what one cycle of a layer went to. Every cycle has exactly one.
type cause uint8

// The causes, in the order of the columns.
const (
	compute    cause = iota // the array (or the vector unit) is at work
	waitIfmap               // idle: input data of the next step are under way
	waitFilter              // idle: weights of the next step are under way
	waitOfmap               // idle: partial sums of the next step are under way
	storing                 // idle: results must leave first (a full half buffer, the end of the layer)
	dependency              // idle: another core has not produced its share yet
	causes
)

var causeNames = [causes]string{"compute", "wait_ifmap", "wait_filter", "wait_ofmap", "store", "dependency"}

var causeTexts = [causes]string{
	"Cycles in which the array or the vector unit worked.",
	"Cycles idle until input data of the next step arrived.",
	"Cycles idle until weights of the next step arrived.",
	"Cycles idle until partial sums of the next step were read back.",
	"Cycles idle until results had left: a half buffer still being written out, or the last stores of a layer.",
	"Cycles idle until another core had produced its share.",
}

// A stalls says where the cycles of one layer went.
type stalls [causes]uint64

// wait books the idle cycles from..to of a step whose loads came at ready, by
// buffer: until the first of them comes they are that buffer's, then the
// second's, and so on; at equal times the lower buffer's. A step without loads
// waits for results to leave.
func (l *stalls) wait(from, to uint64, ready *[buffers]uint64) {
	for from < to {
		c, at := held(from, to, ready)
		l[c] += at - from
		from = at
	}
}

// held is what the first of these idle cycles are booked on, and where they end.
func held(from, to uint64, ready *[buffers]uint64) (c cause, at uint64) {
	best, at := -1, to
	for i, t := range ready {
		if t > from && t <= at && (best < 0 || t < at) {
			best, at = i, t
		}
	}
	if best < 0 {
		return storing, to
	}
	return waitIfmap + cause(best), at
}

// total is the sum over all causes.
func (l *stalls) total() (n uint64) {
	for _, c := range l {
		n += c
	}
	return n
}
