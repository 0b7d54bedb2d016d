package coherent

// A lineOf is a line of the host's memory at a device.
type lineOf struct {
	device int32
	addr   uint64
}

// An order keeps snoops of a line after the GO that a home agent has sent before.
type order struct {
	granting map[lineOf]int   // GO under way
	late     map[lineOf]int32 // line of the snoop that has overtaken one
}

func newOrder() order { return order{map[lineOf]int{}, map[lineOf]int32{}} }

// sent counts a GO in flight.
func (o *order) sent(k lineOf) { o.granting[k]++ }

// hold delays a snoop while a GO is in flight.
func (o *order) hold(k lineOf, line int32) bool {
	if o.granting[k] == 0 {
		return false
	}
	o.late[k] = line
	return true
}

// arrived counts a GO that has arrived, and returns the snoop that may follow now.
func (o *order) arrived(k lineOf) (line int32, ok bool) {
	if o.granting[k]--; o.granting[k] > 0 {
		return 0, false
	}
	delete(o.granting, k)
	if line, ok = o.late[k]; ok {
		delete(o.late, k)
	}
	return line, ok
}
