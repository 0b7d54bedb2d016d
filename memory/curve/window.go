package curve

// buckets is the parts of the window.
const buckets = 8

// window counts the traffic of the recent past, in buckets of equal length.
// Only full buckets count, so that the load changes at fixed instants and not
// with every request.
type window struct {
	length      uint64 // of a bucket in cycles, >= 1
	now         uint64 // bucket being filled
	read, write [buckets + 1]uint64
	reads, all  uint64 // bytes in the full buckets
}

// advance moves to the cycle at.
func (w *window) advance(at uint64) {
	b := at / w.length
	if b-w.now > buckets {
		w.read, w.write = [buckets + 1]uint64{}, [buckets + 1]uint64{}
		w.reads, w.all, w.now = 0, 0, b
		return
	}
	for w.now < b {
		i := w.now % (buckets + 1)
		w.reads += w.read[i]
		w.all += w.read[i] + w.write[i]
		w.now++
		i = w.now % (buckets + 1) // leaves the window
		w.reads -= w.read[i]
		w.all -= w.read[i] + w.write[i]
		w.read[i], w.write[i] = 0, 0
	}
}

// add counts a request in the bucket being filled.
func (w *window) add(bytes uint64, write bool) {
	i := w.now % (buckets + 1)
	if write {
		w.write[i] += bytes
	} else {
		w.read[i] += bytes
	}
}

// share is the share of reads in steps of the table; reads where nothing is
// known.
func (w *window) share() int {
	if w.all == 0 {
		return shares
	}
	return int((w.reads*shares + w.all/2) / w.all)
}
