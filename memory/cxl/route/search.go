package route

import "slices"

// A Node is a part of a fabric on a walk towards the devices.
type Node interface {
	// Leave reports whether a walk that entered by port in may leave by port out, and the LD-IDs
	// it may use beyond; only are those it may use so far (nil: any). It appends links inside the
	// node to both routes of the walk.
	Leave(w *Walk, in, out int, only []int) (lds []int, ok bool)
}

// A Joint is a link below a node.
type Joint struct {
	Link   int // its number
	Port   int // of the node above
	To     Node
	ToPort int
}

// A Leaf is a node where walks end: a device.
type Leaf interface {
	Node
	// Reach is called when a walk arrives at a port of the device; only are the LD-IDs that it
	// may use (nil: any).
	Reach(w *Walk, port int, only []int) error
}

// A Walk visits all devices that one host reaches.
type Walk struct {
	// Down and Up are the legs between the host and the walk's node, both starting at the host.
	Down, Up []Leg
	// Below returns the joints below a node, and Dead reports lost links.
	Below func(n Node) []Joint
	Dead  func(link int) bool
	// Longest is the most links of a walk; a longer one has a circle.
	Longest int
	back    []Leg // scratch
}

// From walks down from a node. circle makes the error of links that form a circle.
func (w *Walk) From(n Node, circle func() error) error {
	w.Down, w.Up = w.Down[:0], w.Up[:0]
	return w.visit(n, 0, nil, circle)
}

func (w *Walk) visit(n Node, in int, only []int, circle func() error) error {
	if len(w.Down) > w.Longest {
		return circle()
	}
	for _, j := range w.Below(n) {
		down, up := len(w.Down), len(w.Up)
		if err := w.follow(n, in, j, only, circle); err != nil {
			return err
		}
		w.Down, w.Up = w.Down[:down], w.Up[:up]
	}
	return nil
}

func (w *Walk) follow(n Node, in int, j Joint, only []int, circle func() error) error {
	if w.Dead(j.Link) {
		return nil
	}
	only, ok := n.Leave(w, in, j.Port, only)
	if !ok {
		return nil
	}
	w.Down, w.Up = append(w.Down, Down(j.Link)), append(w.Up, Up(j.Link))
	if leaf, ok := j.To.(Leaf); ok {
		return leaf.Reach(w, j.ToPort, only)
	}
	return w.visit(j.To, j.ToPort, only, circle)
}

// Enter adds the routes between the host and the walk's node to a book.
func (w *Walk) Enter(b *Book) Pair {
	w.back = append(w.back[:0], w.Up...)
	slices.Reverse(w.back)
	return Pair{b.Add(w.Down), b.Add(w.back)}
}
