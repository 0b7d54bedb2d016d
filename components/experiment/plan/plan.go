package plan

import (
	"slices"
	"sync"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// An Assignment is who carries out what of the workloads of a system.
type Assignment struct {
	Doc     *configs.Document
	Spec    mapping.Spec // the section mapping
	Seed    uint64       // of everything random
	Mappers *Mappers
	Sys     *system.System
	Workers []work.Executor // canonical order
	Loads   []*Workload
	Given   []*Workload // of the configuration, but for communication programs
	// Jobs hand the workloads out while the run goes on, in the order of their nodes; none: they
	// are loaded before it.
	Jobs    []*Job
	Pad     work.Scratchpad // that results of fused operators lie in; nil: there is none
	PadBase uint64
	Notes   []string // what was decided before the run, for its warnings
}

// Mappers is a pool of idle mappers, with the mappings that they have found. A later run takes
// them, since settings of the memory, for example, do not change a mapping. Several goroutines
// may share them.
type Mappers struct{ pool sync.Pool }

// Get returns a mapper, one with what it has found for other points if there is one.
func (m *Mappers) Get() *mapping.Mapper {
	x, ok := m.pool.Get().(*mapping.Mapper)
	if !ok || x.Known() > maxMappings {
		x = mapping.NewMapper()
	}
	return x
}

// Put gives a mapper back.
func (m *Mappers) Put(x *mapping.Mapper) { m.pool.Put(x) }

// maxMappings bounds what a mapper remembers, some hundred bytes each.
const maxMappings = 100_000

// worker is what carries out a workload.
type worker = work.Executor

// OfServer reports whether a server gives a worker its operators.
func (a *Assignment) OfServer(k int) bool {
	return slices.ContainsFunc(a.Jobs, func(j *Job) bool { return j.Server != nil && slices.Contains(j.Compute, k) })
}

// NeedsMemory reports whether a worker reads and writes tensors in memory.
func (a *Assignment) NeedsMemory() bool {
	return slices.ContainsFunc(a.Workers, needsMemory)
}

// needsMemory reports whether a worker reads and writes tensors in memory.
func needsMemory(w worker) bool {
	if m, ok := w.(seat.Mover); ok && m.Moves() {
		return true
	}
	return slices.ContainsFunc(w.PortSpecs(), func(p system.PortSpec) bool { return p.Role == system.Requests && !p.Optional })
}
