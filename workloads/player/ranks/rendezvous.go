package ranks

// A meeting is a long message whose data wait for the receiver.
type meeting struct {
	send, recv token
	msg        Message // what the data will be
	next       int32
}

// meetings are those under way, by number; they are used again.
type meetings struct {
	all  []meeting // 0 is never used
	free int32
}

// open makes a meeting for a long message, which becomes its request.
func (x *meetings) open(m *Message, control uint64) {
	i := x.free
	if i == 0 {
		x.all = append(x.all, meeting{})
		i = int32(len(x.all) - 1)
	} else {
		x.free = x.all[i].next
	}
	x.all[i] = meeting{send: m.at, msg: Message{From: m.From, To: m.To, Tag: m.Tag, Group: m.Group, Bytes: m.Bytes, since: m.since}}
	m.kind, m.meet, m.TrafficBytes = request, i, int(control)
}

// close ends a meeting, and returns who receives.
func (x *meetings) close(i int32) token {
	at := x.all[i].recv
	x.all[i].next, x.free = x.free, i
	return at
}

// data makes a message that of a meeting's data.
func (x *meetings) data(d *Message, i int32) {
	m := &x.all[i].msg
	d.kind, d.From, d.To, d.Tag, d.Group, d.Bytes, d.meet, d.since = data, m.From, m.To, m.Tag, m.Group, m.Bytes, i, m.since
	d.TrafficBytes = int(m.Bytes)
}
