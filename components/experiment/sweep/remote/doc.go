// Package remote runs points of a sweep in other processes, and defines the lines of JSON that a
// process and its client exchange.
//
// A client sends a Request a line and receives a Response a line; causeway serve --stdio is such a
// process. Processes is a client that keeps its processes between points:
//
//	p, err := remote.NewProcesses("base.yaml", []string{"Core.rows=64"}, command, 4*units.GiB)
//	defer p.Close()
//	res, err := p.Run(ctx, []string{"Core.cols=32"}, identity)
//
// Run fails if a process crashes, sends something else than a Response, takes more memory than it
// may, or if ctx ends. The process is then gone, and the next point starts another.
//
// Left out: how a request is answered (sweep.Service), which points run (package sweep), and
// processes of other machines.
package remote
