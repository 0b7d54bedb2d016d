// Package journal lets several processes work through the points of one folder,
// on one machine or on many that share the folder, so that no point is done
// twice and nothing is lost when one of them is killed.
//
// A folder holds
//
//	journal/WRITER.jsonl  what one process has finished: a header, then a line per point,
//	                      which holds what was found
//	journal/WRITER.lock   there while that process works
//	journal/WRITER.sign   its name, for its claims
//	claims/IDENTITY       who works on a point; IDENTITY.2, .3, ... after a death
//
// A journal has one writer and only grows. A process killed at any time leaves
// at most its last line torn, which the next reader cuts off with a warning. A whole
// line that is no entry, as a damaged disk or an editor leaves it, is set aside with a
// warning: its point counts as not done. A
// claim is made by one atomic call that works on NFS (a hard link to the
// signature, where the system has them), and never changes hands: when its owner
// has died or left without an entry, the writer that makes the next generation of
// the claim has the point.
//
// A process of the same machine is alive while it holds the lock on its .lock
// file. Of other machines, and on file systems without locks, it is alive while
// the time of that file changes: no clocks are compared.
package journal
