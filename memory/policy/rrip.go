package policy

// rrip keeps a re-reference prediction value per line: 0 is soon, max is
// distant.
type rrip struct {
	ways int
	max  uint8
	v    []uint8 // [set*ways+way]
}

// rripMax is the most distant value of 2 bits.
const rripMax = 3

func newRRIP(g Geometry, max uint8) rrip { return rrip{g.Ways, max, make([]uint8, g.Sets*g.Ways)} }

// oldest returns the lowest way of the highest value, and ages the set until
// that value is max.
func (r *rrip) oldest(set int) int {
	row := r.v[set*r.ways:][:r.ways]
	way, top := 0, row[0]
	for w, v := range row {
		if v > top {
			way, top = w, v
		}
		if v == r.max {
			return w
		}
	}
	age := r.max - top
	for w := range row {
		row[w] += age
	}
	return way
}

func (r *rrip) put(set, way int, v uint8) { r.v[set*r.ways+way] = v }

func (r *rrip) Victim(set int, _ Access) int { return r.oldest(set) }
func (r *rrip) Hit(set, way int, _ Access)   { r.put(set, way, 0) }
func (r *rrip) Evict(set, way int)           {}
