package object

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
)

// A Cache holds objects. Nothing is allocated per access besides what a new object takes.
type Cache interface {
	// Access looks an object of so many bytes up, at least 1. One that is not there comes
	// in, if the rule lets it.
	Access(id uint64, size uint32) (hit bool)
	// Used is the bytes of all objects that are there.
	Used() uint64
}

// A Factory makes an empty cache of so many bytes.
type Factory func(capacity uint64) Cache

// All holds the rules by the names that they have as policies.
var All = registry.New[Factory]("policy for objects")

// New makes an empty cache.
func New(name string, capacity uint64) (Cache, error) {
	e, ok := All.Entry(name)
	if !ok {
		return nil, fmt.Errorf("policy %s knows no sizes of objects (want one of: %s)", name, strings.Join(All.Names(), ", "))
	}
	return e.New(capacity), nil
}

func add(name, doc, source string, of func(s *shelf) rule) {
	All.Add(registry.Entry[Factory]{Name: name, Doc: doc, Source: source, New: func(capacity uint64) Cache {
		c := &frame{shelf: newShelf(capacity)}
		c.rule = of(&c.shelf)
		return c
	}})
}

// A rule decides which objects of a shelf leave.
type rule interface {
	// hit is an access to an object that is there.
	hit(i uint32)
	// missed is one to an object that is not there, in slot i if it is remembered, else
	// slot 0. It forgets it, and reports whether an object of that size may come in.
	missed(i uint32, size uint64) bool
	// evict makes one object leave, for one of so many bytes.
	evict(size uint64)
	// insert brings in the object that was missed last, if it has a place for it.
	insert(id uint64, size uint32)
}

// A frame is what the caches have in common.
type frame struct {
	shelf
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
