package transit

// CountWaits has the network count, for lines of that many roots, how long they wait for each
// link. It is called once all hops are there.
func (n *Network) CountWaits(roots int) { n.waits = make([]int64, 2*roots*len(n.Hops)) }

// Waits is how long the lines of a root have waited for each hop, in ps: for hop i downwards at
// 2 i, and upwards after it.
func (n *Network) Waits(root int32) []int64 {
	if n.waits == nil {
		return nil
	}
	return n.waits[2*int(root)*len(n.Hops) : 2*(int(root)+1)*len(n.Hops)]
}
