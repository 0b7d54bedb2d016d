package serving

// hashesOf are the hashes of the first n blocks of a sequence.
func (e *Engine) hashesOf(q *Sequence, n int) []uint64 {
	if !e.spec.Prefix {
		return nil
	}
	if n > 0 {
		e.hash(q, n-1)
	}
	return q.hashes[:n]
}

// hash is that of block i of a sequence: of its tokens and the block before, of the names that a file
// gives its tokens, of the name of the prefix that all of it is in, or that of the earlier request that
// it begins as. Blocks with other tokens that are not known are the request's own.
//
// assumption: 64 bits tell all blocks of a run apart.
func (e *Engine) hash(q *Sequence, i int) uint64 {
	if !e.spec.Prefix {
		return 0
	}
	for k := len(q.hashes); k <= i; k++ {
		h := uint64(seed)
		if k > 0 {
			h = q.hashes[k-1]
		}
		from, to := k*e.spec.Block, (k+1)*e.spec.Block
		if q.Before > 0 && to <= q.Shared {
			q.hashes = append(q.hashes, e.hash(&e.all[q.Before-1], k))
			continue
		}
		if to <= q.Hashed {
			for _, id := range q.Hashes[from/HashedBlock : (to-1)/HashedBlock+1] {
				h = mix(mix(h, hashed), uint64(id))
			}
		} else if to <= len(q.Tokens) {
			for _, t := range q.Tokens[from:to] {
				h = mix(h, uint64(uint32(t)))
			}
		} else if to <= q.Shared {
			h = mix(h, common)
			for _, c := range []byte(q.Prefix) {
				h = mix(h, uint64(c))
			}
		} else {
			h = mix(mix(h, own), uint64(q.index))
		}
		if h == 0 {
			h = 1
		}
		q.hashes = append(q.hashes, h)
	}
	return q.hashes[i]
}

// Constants of FNV-1a, and a word that no token is.
const (
	seed  = 14695981039346656037
	prime = 1099511628211
	own   = 1 << 40
	// common is a word that neither a token nor own is.
	common = 1 << 41
	// hashed is one that comes before the name of a block.
	hashed = 1 << 42
)

// mix is FNV-1a over the bytes of a word.
func mix(h, word uint64) uint64 {
	for range 8 {
		h = (h ^ word&0xff) * prime
		word >>= 8
	}
	return h
}
