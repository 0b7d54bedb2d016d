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

// An Assignment says which worker executes which part of the workloads of a system.
type Assignment struct {
	Doc     *configs.Document
	Spec    mapping.Spec // the section mapping
	Seed    uint64       // of everything random
	Mappers *Mappers
	Sys     *system.System
	Workers []work.Executor // canonical order
	Loads   []*Workload
	Given   []*Workload // of the configuration, but for communication programs
	// Jobs are the nodes that issue workloads during the run, in the order of their nodes; none:
	// all workloads are loaded before the run.
	Jobs    []*Job
	Pad     work.Scratchpad // scratchpad for results of fused operators; nil: none
	PadBase uint64
	Notes   []string // decisions before the run, reported as warnings
}

// Mappers is a pool of mappers with the mappings that they have found. A later run reuses them,
// because many settings, such as those of the memory, do not change a mapping. Several goroutines
// may use it.
type Mappers struct{ pool sync.Pool }

// Get returns a mapper of the pool, or a new one.
func (m *Mappers) Get() *mapping.Mapper {
	x, ok := m.pool.Get().(*mapping.Mapper)
	if !ok || x.Known() > maxMappings {
		x = mapping.NewMapper()
	}
	return x
}

// Put returns a mapper to the pool.
func (m *Mappers) Put(x *mapping.Mapper) { m.pool.Put(x) }

// maxMappings bounds the mappings in a mapper, some hundred bytes each.
const maxMappings = 100_000

// worker is a node that executes a workload.
type worker = work.Executor

// OfServer reports whether a server issues the operators of worker k.
func (a *Assignment) OfServer(k int) bool {
	return slices.ContainsFunc(a.Jobs, func(j *Job) bool { return j.Server != nil && slices.Contains(j.Compute, k) })
}

// NeedsMemory reports whether a worker accesses tensors in memory.
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
