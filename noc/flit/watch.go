package flit

import (
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/noc/network"
)

// flits report sampled packets as tasks of the node.
type flits struct {
	shell *network.Comp
	width int
	tasks map[int32]task.ID // by packet
	of    func(id, tag int32) task.ID
}

// Wants implements fabric.Watcher.
func (f *flits) Wants() bool { return f.shell.Watched() }

// Enter implements fabric.Watcher.
func (f *flits) Enter(id, tag, flits int32, terminal int) {
	f.tasks[id] = f.shell.BeginFlit(f.of(id, tag), terminal, int(flits)*f.width)
}

// Pass implements fabric.Watcher.
func (f *flits) Pass(id int32, router int) { f.shell.PassFlit(f.tasks[id], router) }

// Leave implements fabric.Watcher.
func (f *flits) Leave(id int32) {
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

// watch reports sampled packets as tasks, each below the task that of returns.
func (k *core) watch(of func(id, tag int32) task.ID) {
	k.flits = &flits{shell: k.shell, width: k.shell.Width(), tasks: map[int32]task.ID{}, of: of}
	k.Watch(k.flits)
}
