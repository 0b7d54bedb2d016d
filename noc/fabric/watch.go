package fabric

import (
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/noc/network"
)

// A watcher follows every network.Sampled-th packet, by the order of their sending: it is
// called when the first flit enters at a terminal, when that flit leaves a router to another
// one, and when the last flit has come. Without a watcher no packet is marked. The mark is in
// memory that the router reads anyway.
type watcher interface {
	wants() bool // further packets
	enter(id int32, p *packet, terminal int)
	pass(id int32, router int)
	leave(id int32)
}

// flits report sampled packets as tasks of the node.
type flits struct {
	shell *network.Comp
	width int
	tasks map[int32]task.ID // by packet
	of    func(id int32, p *packet) task.ID
}

func (f *flits) wants() bool { return f.shell.Watched() }

func (f *flits) enter(id int32, p *packet, terminal int) {
	f.tasks[id] = f.shell.BeginFlit(f.of(id, p), terminal, int(p.flits)*f.width)
}

func (f *flits) pass(id int32, router int) { f.shell.PassFlit(f.tasks[id], router) }

func (f *flits) leave(id int32) {
	f.shell.EndFlit(f.tasks[id])
	delete(f.tasks, id)
}

// open is the number of packets that are reported and have not come.
func (f *flits) open() int {
	if f == nil {
		return 0
	}
	return len(f.tasks)
}
