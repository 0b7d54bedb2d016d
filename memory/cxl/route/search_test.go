package route

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// A hub leads everywhere, except for ports that are shut.
type hub struct{ shut map[int]bool }

func (h *hub) Leave(_ *Walk, _, out int, only []int) ([]int, bool) { return only, !h.shut[out] }

type disk struct {
	name  string
	found *[]string
	book  *Book
}

func (*disk) Leave(*Walk, int, int, []int) ([]int, bool) { return nil, false }

func (d *disk) Reach(w *Walk, port int, _ []int) error {
	p := w.Enter(d.book)
	*d.found = append(*d.found, fmt.Sprintf("%s by %d: %v, back %v", d.name, port, d.book.List(nil, p.Down), d.book.List(nil, p.Up)))
	return nil
}

// A host above a switch with two disks, one of which it reaches by a link of its own too.
func TestWalk(t *testing.T) {
	var b Book
	var found []string
	host, sw := &hub{}, &hub{shut: map[int]bool{}}
	x, y := &disk{"x", &found, &b}, &disk{"y", &found, &b}
	below := map[Node][]Joint{
		host: {{Link: 0, To: sw}, {Link: 3, Port: 1, To: y, ToPort: 1}},
		sw:   {{Link: 1, Port: 0, To: x}, {Link: 2, Port: 1, To: y}},
	}
	dead := map[int]bool{}
	w := Walk{Below: func(n Node) []Joint { return below[n] }, Dead: func(l int) bool { return dead[l] }, Longest: 4}
	circle := func() error { return errors.New("a circle") }
	require.NoError(t, w.From(host, circle))
	require.Equal(t, []string{"x by 0: [0 2], back [3 1]", "y by 0: [0 4], back [5 1]", "y by 1: [6], back [7]"}, found)
	found = nil
	dead[1], sw.shut[1] = true, true
	require.NoError(t, w.From(host, circle))
	require.Equal(t, []string{"y by 1: [6], back [7]"}, found)
	below[sw] = append(below[sw], Joint{Link: 4, Port: 2, To: host})
	require.EqualError(t, w.From(host, circle), "a circle")
}
