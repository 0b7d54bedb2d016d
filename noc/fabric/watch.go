package fabric

// A Watcher follows every network.Sampled-th packet, by the order of their sending: it is
// called when the first flit enters at a terminal, when that flit leaves a router to another
// one, and when the last flit has come. Without a Watcher no packet is marked. The mark is in
// memory that the router reads anyway.
type Watcher interface {
	Wants() bool // further packets
	Enter(id, tag, flits int32, terminal int)
	Pass(id int32, router int)
	Leave(id int32)
}

// Watch sets the Watcher.
func (n *Network) Watch(w Watcher) { n.watch = w }
