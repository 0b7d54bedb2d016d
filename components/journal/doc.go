// Package journal shares the points of a sweep among processes, on one machine or on many that
// share a folder. No point is finished twice, and a killed process loses only the points that it
// was working on.
//
//	f, err := journal.Open(dir, "complete") // the status of a finished point
//	w, err := f.Join(build.Running(version))
//	if claim, _, err := w.Claim(identity); claim == journal.Mine {
//		err = w.Record(journal.Entry{Identity: identity, Status: "complete", Result: found})
//	}
//	err = w.Leave(false)
//
// A folder holds
//
//	journal/WRITER.jsonl  what one process has finished: a header, then a line per point,
//	                      which holds what was found
//	journal/WRITER.lock   there while that process works
//	journal/WRITER.sign   its name, for its claims
//	claims/IDENTITY       who works on a point; IDENTITY.2, .3, ... after a death
//
// A journal has one writer and only grows. A killed process leaves at most its last line
// incomplete; the next reader removes that line with a warning. A complete line that is no entry,
// from a damaged disk or an editor, is moved aside with a warning, and its point counts as not
// done. A claim is made by one atomic call that works on NFS (a hard link to the signature, if the
// system has them). A claim keeps its owner: if the owner dies or leaves without an entry, the
// first writer to make the next generation of the claim gets the point.
//
// A process of the same machine is alive while it holds the lock on its .lock file. A process of
// another machine, or on a file system without locks, is alive while the time of that file
// changes. Clocks of different machines are never compared.
//
// Errors are those of the file system, with the path. Left out: which points there are, and
// running them (components/experiment/sweep).
package journal
