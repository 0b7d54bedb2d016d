package route

// A Book holds all routes of a fabric, packed, and the open routes, which lines follow.
type Book struct {
	packed packed
	open   [][]Leg // never changed once there
}

// Reset drops the added routes, and reserves room for routes new ones. Open routes stay.
func (b *Book) Reset(routes int) {
	b.packed = packed{routes: make([]packedRoute, 0, routes)}
}

// Add stores a route and returns its number.
func (b *Book) Add(legs []Leg) int32 { return b.packed.add(legs) }

// List appends the legs of route n to out.
func (b *Book) List(out []Leg, n int32) []Leg { return b.packed.list(out, n) }

// Open unpacks route n and returns its number for Legs.
func (b *Book) Open(n int32) int32 {
	r := &b.packed.routes[n]
	if r.open == 0 {
		r.open = b.Private(b.packed.list(nil, n)) + 1
	}
	return r.open - 1
}

// Private opens a route for a single line. The book keeps legs.
func (b *Book) Private(legs []Leg) int32 {
	b.open = append(b.open, legs)
	return int32(len(b.open) - 1)
}

// Legs returns an open route, which must not be changed.
func (b *Book) Legs(open int32) []Leg { return b.open[open] }
