package tagstore_test

import (
	"fmt"

	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
)

// The state of a cache alone: five lines in turn through four ways.
func ExampleStore() {
	for _, name := range []string{"lru", "lip", "mru"} {
		index, _ := tagstore.NewIndex(1, 1, "linear")
		p, _ := policy.New(name, policy.Geometry{Sets: index.Sets(), Ways: 4}, nil)
		c := tagstore.New(index, 4, p)
		for i := range uint64(20) {
			c.Access(policy.Access{Line: i % 5})
		}
		fmt.Println(name, c.Counts().Hits)
	}
	// Output:
	// lru 0
	// lip 9
	// mru 12
}
