package zoo

// Share is the decoder of one of n tensor-parallel ranks: it has a part of the heads, of the width of
// feed-forward parts without experts and of the vocabulary. Key heads that are fewer than ranks are on
// several of them. Experts stay whole, since ranks divide them otherwise.
func (d Decoder) Share(n int) Decoder {
	if n <= 1 {
		return d
	}
	d = d.normal()
	part := func(x int) int { return max((x+n-1)/n, min(x, 1)) }
	heads, kv := part(d.Heads), part(d.KVHeads)
	for heads%kv != 0 {
		heads++
	}
	d.Heads, d.KVHeads = heads, kv
	d.DenseFF, d.SharedFF, d.Words = part(d.DenseFF), part(d.SharedFF), part(d.Words)
	if d.Experts == 0 {
		d.FF = part(d.FF)
	}
	blocks := make([]Block, len(d.Blocks))
	for i, k := range d.Blocks {
		k.Heads, k.KVHeads, k.FF = part(k.Heads), part(k.KVHeads), part(k.FF)
		if k.Mixer != nil {
			k.Mixer = k.Mixer.Share(n)
		}
		blocks[i] = k
	}
	if len(blocks) > 0 {
		d.Blocks = blocks
	}
	return d
}

// Mixed reports whether layer i has experts.
func (d Decoder) Mixed(i int) bool {
	k := d.block(i)
	return d.Experts > 0 && k.Only != OnlyMixer && k.FF == 0 && !(len(d.Dense) > 0 && d.Dense[i])
}

// Parts reports whether layer i has a mixer and a feed-forward part.
func (d Decoder) Parts(i int) (mixer, ff bool) {
	k := d.block(i)
	return k.Only != OnlyFF, k.Only != OnlyMixer
}
