package dumpi

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/comm/commtest"
)

// A dumpiText builds a DUMPI file in memory.
type dumpiText struct {
	bytes.Buffer
	now uint32
}

func newDumpi() *dumpiText {
	d := &dumpiText{}
	d.Write(magic)
	d.Write(make([]byte, 8))
	return d
}

func dumpiNumber(name string) int {
	return slices.IndexFunc(functions[:], func(c struct{ name, layout string }) bool { return c.name == name })
}

// call appends a record that lasts 10 ns, 100 ns after the last. Arguments are
// of the widths of the layout; a slice is a counted list.
func (d *dumpiText) call(name string, args ...any) {
	fn := dumpiNumber(name)
	put := func(v any) { _ = binary.Write(d, binary.BigEndian, v) }
	put(uint16(fn))
	put(uint8(hasWall | hasThread | hasStatuses))
	put(uint16(0))
	d.now += 100
	for _, at := range []uint32{d.now, d.now + 10} {
		put(uint16(0))
		put(at)
	}
	d.now += 10
	i := 0
	for _, l := range functions[fn].layout {
		if l == 's' {
			put(int32(1))
			d.Write(make([]byte, 14))
			continue
		}
		if i == len(args) {
			break // what only the root records
		}
		switch v := args[i].(type) {
		case int:
			switch l {
			case 'h':
				put(uint16(v))
			case 'b':
				put(uint8(v))
			default:
				put(int32(v))
			}
		case []int32:
			put(int32(len(v)))
			for _, x := range v {
				if l == 't' {
					put(uint16(x))
				} else {
					put(x)
				}
			}
		}
		i++
	}
}

func (d *dumpiText) text() string {
	put := func(v any) { _ = binary.Write(d, binary.BigEndian, v) }
	put(uint16(0x125))
	header := d.Len()
	d.Write([]byte{1, 1, 0})
	sizes := d.Len()
	put([]int32{28, 0, 0, 1, 1, 1, 1, 4, 2, 2, 4, 4, 8, 8, 4, 8, 16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20})
	d.Write(magic)
	put([]int64{int64(sizes), 0, 0, int64(header), 8, int64(header), 0})
	return d.String()
}

// Two communicators of a split, a sub-communicator by group, requests of all
// kinds, derived types, and collectives with counts.
func TestDUMPI(t *testing.T) {
	files := map[string]string{}
	for n := range 4 {
		d := newDumpi()
		d.call("Init", []int32{}) // no arguments
		color := n % 2
		d.call("Comm_split", 2, color, -n, 4)
		d.call("Type_contiguous", 3, 14, 30) // 24 bytes
		peer := n / 2                        // the keys turn the order round: this is the other
		d.call("Irecv", 2, 30, peer, 5, 4, 9)
		d.call("Isend", 1, 30, peer, 5, 4, 10)
		d.call("Waitall", 2, []int32{9, 10})
		d.call("Comm_free", 4)
		d.call("Comm_dup", 2, 4)
		d.call("Allreduce", 2, 14, 3, 4)
		d.call("Alltoall", 1, 9, 1, 9, 2)
		counts := make([]int32, 4)
		counts[(n+1)%4] = 5
		from := make([]int32, 4)
		from[(n+3)%4] = 5
		d.call("Alltoallv", 4, counts, make([]int32, 4), 14, from, make([]int32, 4), 14, 2)
		d.call("Scan", 1, 9, 3, 2)
		d.call("Comm_group", 2, 3)
		d.call("Group_incl", 3, 2, []int32{3, 1}, 4)
		if n == 1 || n == 3 {
			d.call("Comm_create", 2, 4, 7)
			d.call("Bcast", 1, 14, 1, 7)
		} else {
			d.call("Comm_create", 2, 4, null)
		}
		d.call("Finalize")
		files[fmt.Sprintf("dumpi-%04d.bin", n)] = d.text()
	}
	p, err := commtest.Load(t, files, ".")
	require.NoError(t, err)
	require.NoError(t, p.Check())
	require.Equal(t, [][]int32{{0, 1, 2, 3}, {0}, {1}, {2}, {3}, {2, 0}, {3, 1}, {0, 1, 2, 3}, {3, 1}}, p.Groups)
	require.Equal(t, `0 compute 320ns
1 recv of 48B from rank 2, tag 5 group 5, after 0
2 compute 100ns, with 1
3 send of 24B to rank 2, tag 5 group 5, after 2
4 compute 100ns, with 3
5 join, after 1, after 3, after 4
6 compute 320ns, after 5
7 all_reduce of 16B group 7, after 6
8 compute 100ns, after 7
9 all_to_all of 16B, after 8
10 compute 100ns, after 9
11 recv of 40B from rank 3, tag 1099511627776, after 10
12 send of 40B to rank 1, tag 1099511627776, after 10
13 join, after 10, after 11, after 12
14 compute 100ns, after 13
15 join, after 14
16 send of 4B to rank 1, tag 1099511627777, after 15
`, commtest.Dump(&p.Ranks[0]))
	last := p.Ranks[1].Op(p.Ranks[1].Len() - 1)
	require.Equal(t, "broadcast of 8B from rank 1, group 8", fmt.Sprintf("%s from rank %d, group %d", last, last.Peer, last.Group))
	require.Equal(t, units.Time(430)*units.Nanosecond, p.Ranks[1].Op(p.Ranks[1].Len()-2).Time)
	for _, q := range comm.Pairs(p) {
		require.Equal(t, q.Sent, q.Received)
	}
}

func TestDUMPIErrors(t *testing.T) {
	good := func(add func(d *dumpiText)) string {
		d := newDumpi()
		d.call("Init", []int32{})
		add(d)
		return d.text()
	}
	for _, c := range []struct{ text, want string }{
		{good(func(d *dumpiText) { d.call("Isend", 1, 99, 1, 5, 2, 10) }), "byte 37: MPI_Isend: data type 99 has no size"},
		{good(func(d *dumpiText) { d.call("Isend", 1, 14, 1, 5, 9, 10) }), "byte 37: MPI_Isend: communicator 9 is not known"},
		{good(func(d *dumpiText) { d.call("Isend", 1, 14, 1, 5, 2, 10) }), "operation 1: the communicator has 1 ranks and no rank 1"},
		{good(func(d *dumpiText) { d.call("Start", 4) }), "byte 37: MPI_Start: request 4 is no persistent one"},
		{good(func(d *dumpiText) { d.call("Pcontrol", 4) }), "byte 37: MPI_Pcontrol is not read"},
		{good(func(d *dumpiText) { d.Write([]byte{0x77, 0x77}) }), "byte 37: there is no function of number 30583"},
		{good(func(d *dumpiText) {
			d.call("Waitall", 1, []int32{2, 3})
			d.Truncate(d.Len() - 30)
			d.Write([]byte{0x7f})
		}), "does not fit"},
	} {
		_, err := commtest.Load(t, map[string]string{"d-0.bin": c.text}, "d-%d.bin")
		require.ErrorContains(t, err, c.want)
	}
	text := good(func(d *dumpiText) { d.call("Allreduce", 2, 14, 3, 2) })
	_, err := commtest.Load(t, map[string]string{"d-0.bin": text}, "d-%d.bin")
	require.NoError(t, err)
	for n := 8; n < len(text); n++ {
		_, err := commtest.Load(t, map[string]string{"d-0.bin": text[:n]}, "d-%d.bin")
		require.ErrorContains(t, err, "cut off", "%d bytes", n)
	}
}

func FuzzDUMPI(f *testing.F) {
	d := newDumpi()
	d.call("Init", []int32{})
	d.call("Comm_split", 2, 0, 0, 4)
	d.call("Irecv", 2, 14, 0, 5, 4, 9)
	d.call("Waitall", 1, []int32{9})
	d.call("Gatherv", 0, 1, 5, 14, 0, 2, []int32{5}, []int32{0}, 14)
	d.call("Allreduce", 2, 14, 3, 4)
	f.Add([]byte(d.text()))
	commtest.Fuzz(f, "dumpi")
}
