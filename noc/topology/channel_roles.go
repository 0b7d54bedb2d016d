package topology

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
)

// A deal maps the global channels of a group to roles in the absolute arrangement: role k*(g-1)+i
// is the k-th channel to the i-th other group.
type channelRoles struct {
	role  []int32 // [group*channels+channel]
	place []int32 // [group*channels+role], its inverse
}

func newDeal(n int) *channelRoles { return &channelRoles{make([]int32, n), make([]int32, n)} }

func (x *channelRoles) set(group, channels, channel, role int) {
	x.role[group*channels+channel] = int32(role)
	x.place[group*channels+role] = int32(channel)
}

// randomDeal shuffles the channels of every group. Any two groups keep their
// number of channels.
func randomDeal(d Dragonfly, seed uint64) *channelRoles {
	n := d.m * (d.g - 1)
	x := newDeal(d.g * n)
	rng := rand.New(rand.NewPCG(seed, 0x647261676f6e))
	for g := range d.g {
		for channel, role := range rng.Perm(n) {
			x.set(g, n, channel, role)
		}
	}
	return x
}

// readDeal reads the arrangement of a file. Blank lines and those that begin with
// # are left out. The k-th channel of one group to another faces the k-th back.
func readDeal(d Dragonfly, file string) (*channelRoles, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	n := d.m * (d.g - 1)
	x := newDeal(d.g * n)
	group := 0
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<24)
	for line := 1; in.Scan(); line++ {
		words := strings.Fields(in.Text())
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		bad := func(format string, args ...any) error {
			return fmt.Errorf("%s:%d: "+format, append([]any{file, line}, args...)...)
		}
		if group == d.g {
			return nil, bad("more than %d groups", d.g)
		}
		if len(words) != n {
			return nil, bad("group %d has %d channels (want %d: %d to each of %d other groups)", group, len(words), n, d.m, d.g-1)
		}
		seen := make([]int, d.g)
		for channel, w := range words {
			to, err := strconv.Atoi(w)
			if err != nil || to < 0 || to >= d.g || to == group {
				return nil, bad("%q is no other group (want 0 to %d without %d)", w, d.g-1, group)
			}
			if seen[to] == d.m {
				return nil, bad("more than %d channels from group %d to %d", d.m, group, to)
			}
			x.set(group, n, channel, seen[to]*(d.g-1)+slot(to, group))
			seen[to]++
		}
		group++
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if group != d.g {
		return nil, fmt.Errorf("%s: %d groups (want %d)", file, group, d.g)
	}
	return x, nil
}
