package tally

import (
	"math/bits"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Profile counts accesses by tensor and by the reuse that hints predict. Reports draw figures of its Table;
// it declares no metrics.
type Profile struct {
	at   map[profileKey]*profileTally
	keys []profileKey // in the order in which they came
	last profileKey
	now  *profileTally
	// untold is of the accesses of no tensor, once there are some
	untold *profileTally
}

// A profileKey is a tensor, or what is known of one, and a power of two of expected reuse.
type profileKey struct {
	about  *memory.Tensor // nil: only number and kind are known
	tensor uint32         // hint's, 0 is none
	kind   graph.Role
	reuse  uint8 // bits of the accesses still expected: 0, 1, 2..3, 4..7, ...
}

type profileTally struct{ accesses, hits, bypasses uint64 }

// Note counts an access with its hint and result.
func (s *Profile) Note(h *memory.Hint, r *tagstore.Result) {
	k := profileKey{}
	if h == nil || h.Tensor == 0 { // most do
		if s.untold != nil {
			s.untold.add(r)
			return
		}
	} else {
		k = profileKey{about: h.About, kind: h.Kind, reuse: uint8(bits.Len32(h.Reuse)), tensor: h.Tensor}
		if k.about != nil {
			k.tensor = 1
		}
	}
	if k != s.last || s.now == nil {
		n := s.at[k]
		if n == nil {
			n = &profileTally{}
			s.at[k] = n
			s.keys = append(s.keys, k)
		}
		s.last, s.now = k, n
	}
	if k == (profileKey{}) {
		s.untold = s.now
	}
	s.now.add(r)
}

// Hits counts n hits of accesses without a tensor.
func (s *Profile) Hits(n uint64) { s.Many(n, n, 0) }

// Many counts accesses without a tensor.
func (s *Profile) Many(accesses, hits, bypasses uint64) {
	s.Note(nil, &tagstore.Result{Hit: true})
	s.untold.accesses += accesses - 1
	s.untold.hits += hits - 1 // which is -1 if the one noted was none
	s.untold.bypasses += bypasses
}

func (n *profileTally) add(r *tagstore.Result) {
	n.accesses++
	if r.Hit {
		n.hits++
	}
	if r.Bypassed {
		n.bypasses++
	}
}

func NewProfile() *Profile {
	return &Profile{at: map[profileKey]*profileTally{}}
}

// Table has a row for each tensor and each power of two of the predicted reuse.
func (s *Profile) Table() *stats.Table {
	t := &stats.Table{Columns: []stats.Column{
		{Name: "tensor", Text: "Name of the tensor; empty where none is known."},
		{Name: "kind", Text: "What the tensor is for."},
		{Name: "reuse", Unit: stats.One, Text: "Accesses still expected, at least."},
		{Name: "accesses", Unit: stats.One}, {Name: "hits", Unit: stats.One}, {Name: "bypasses", Unit: stats.One},
	}}
	for _, k := range s.keys {
		name, kind, reuse := "", "unknown", uint64(0)
		if k.tensor != 0 {
			kind = k.kind.String()
		}
		if k.about != nil {
			name = k.about.Name
		}
		if k.reuse > 0 {
			reuse = 1 << (k.reuse - 1)
		}
		n := s.at[k]
		t.Append(name, kind, reuse, n.accesses, n.hits, n.bypasses)
	}
	return t
}
