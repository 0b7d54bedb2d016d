package transit

// CountWaits enables Waits, for lines of so many roots. It is called after all hops were added.
func (n *Network) CountWaits(roots int) { n.waits = make([]int64, 2*roots*len(n.Hops)) }

// Waits returns the ps that a root's lines have waited for each hop: index 2 i is hop i
// downwards, 2 i + 1 upwards.
func (n *Network) Waits(root int32) []int64 {
	if n.waits == nil {
		return nil
	}
	return n.waits[2*int(root)*len(n.Hops) : 2*(int(root)+1)*len(n.Hops)]
}
