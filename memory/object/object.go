package object

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
)

// A Cache holds objects. Only a new object allocates.
type Cache interface {
	// Access looks up an object of size bytes, at least 1. If it misses, the rule may insert it.
	Access(id uint64, size uint32) (hit bool)
	// Used returns the bytes of all objects in the cache.
	Used() uint64
}

// A Factory makes an empty cache of capacity bytes.
type Factory func(capacity uint64) Cache

// All holds the rules by the names of their policies.
var All = registry.New[Factory]("policy for objects")

// New makes an empty cache of capacity bytes. The error is an unknown name.
func New(name string, capacity uint64) (Cache, error) {
	e, ok := All.Entry(name)
	if !ok {
		return nil, fmt.Errorf("policy %s knows no sizes of objects (want one of: %s)", name, strings.Join(All.Names(), ", "))
	}
	return e.New(capacity), nil
}

func add(name, doc, source string, of func(s *objectStore) rule) {
	All.Add(registry.Entry[Factory]{Name: name, Doc: doc, Source: source, New: func(capacity uint64) Cache {
		c := &frame{objectStore: newShelf(capacity)}
		c.rule = of(&c.objectStore)
		return c
	}})
}

// A rule decides which objects of a shelf leave.
type rule interface {
	// hit handles an access to an object in the cache.
	hit(i uint32)
	// missed handles an access to an object that is not in the cache: in slot i if it is in a
	// ghost queue, else in slot 0. It removes it from the ghost queue, and reports whether an
	// object of that size may be inserted.
	missed(i uint32, size uint64) bool
	// evict evicts one object, for one of size bytes.
	evict(size uint64)
	// insert brings in the object that was missed last, if it has a place for it.
	insert(id uint64, size uint32)
}

// A frame is what the caches have in common.
type frame struct {
	objectStore
	rule rule
}

func (c *frame) Access(id uint64, size uint32) bool {
	if size == 0 {
		panic("object: an object of no bytes")
	}
	i := c.place[id]
	if i != 0 && !c.at[i].gone {
		c.rule.hit(i)
		return true
	}
	n := uint64(size)
	if !c.rule.missed(i, n) {
		return false
	}
	for c.used+n > c.capacity {
		c.rule.evict(n)
	}
	c.rule.insert(id, size)
	return false
}
