package route

// A Book holds all routes of a fabric, and those that lines follow.
type Book struct {
	packed packed
	open   [][]Leg // never changed once there
}

// Reset forgets the routes that were added, before as many as routes are added again.
// Those that are open stay.
func (b *Book) Reset(routes int) {
	b.packed = packed{routes: make([]packedRoute, 0, routes)}
}

// Add stores a route and returns its number.
func (b *Book) Add(legs []Leg) int32 { return b.packed.add(legs) }

// List appends the legs of a route.
func (b *Book) List(out []Leg, n int32) []Leg { return b.packed.list(out, n) }

// Open returns the number by which lines follow a route; see Legs.
func (b *Book) Open(n int32) int32 {
	r := &b.packed.routes[n]
	if r.open == 0 {
		r.open = b.Private(b.packed.list(nil, n)) + 1
	}
	return r.open - 1
}

// Private opens a route that no other line follows. The book keeps legs.
func (b *Book) Private(legs []Leg) int32 {
	b.open = append(b.open, legs)
	return int32(len(b.open) - 1)
}

// Legs is an open route. It must not be changed.
func (b *Book) Legs(open int32) []Leg { return b.open[open] }
