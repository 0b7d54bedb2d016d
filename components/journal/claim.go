package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A Claim is the answer to a claim of a point.
type Claim int

// The outcomes of Writer.Claim.
const (
	Mine Claim = iota // the caller does the point
	Held              // another writer is doing it
	Done              // another writer has done it since the folder was opened
)

// TryClaim claims a point that has neither a claim nor an entry. Unlike Claim, it does not check
// whether the owner of an existing claim is alive.
func (w *Writer) TryClaim(identity string) (mine bool, err error) {
	if _, done := w.folder.since(identity, w.name); done {
		return false, nil
	}
	owner, err := w.claim(w.folder.claimPath(identity, 1))
	if errors.Is(err, fs.ErrNotExist) { // cleared up, see Claim
		return false, nil
	}
	return err == nil && owner == w.name, err
}

// Claim claims a point, also from an owner that died or left without an entry. If the answer is
// Held, the caller tries again later; if it is Done, the entry is that of the point.
func (w *Writer) Claim(identity string) (Claim, Entry, error) {
	f := w.folder
	if e, ok := f.since(identity, w.name); ok {
		return Done, e, nil
	}
	for generation := 1; ; generation++ {
		path := f.claimPath(identity, generation)
		owner, err := w.claim(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			// Another writer has removed the claims before it saw this one join. The
			// journals hold an entry for each of those claims.
			if err := errors.Join(f.Refresh(), os.MkdirAll(f.claims(), 0o755)); err != nil {
				return Held, Entry{}, err
			}
			return w.Claim(identity)
		case err != nil:
			return Held, Entry{}, err
		case owner == w.name:
			return Mine, Entry{}, nil
		}
		e, gone, err := f.of(owner, path, identity)
		switch {
		case err != nil:
			return Held, Entry{}, err
		case e.Identity != "":
			return Done, e, nil
		case !gone:
			return Held, Entry{}, nil
		}
	}
}

func (f *Folder) claimPath(identity string, generation int) string {
	path := filepath.Join(f.claims(), identity)
	if generation > 1 {
		path = fmt.Sprintf("%s.%d", path, generation)
	}
	return path
}

// since returns the entry of a point that another writer than but has recorded since the folder
// was opened, as of the last refresh.
func (f *Folder) since(identity, but string) (e Entry, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, l := range f.logs {
		if x, here := l.fresh[identity]; here && l.name != but && (!ok || x.Status == f.done) {
			e, ok = x, true
		}
	}
	return e, ok
}

// of is what the owner of the claim at path has recorded about the point since
// the folder was opened, and whether it is gone.
func (f *Folder) of(owner, path, identity string) (e Entry, gone bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if owner == "" { // stopped between making the claim and signing it, or about to sign
		return Entry{}, !f.beating(path), nil
	}
	if gone = !f.alive(owner); gone {
		// Read after it is seen to be gone: nothing is added then.
		if err := f.refresh(); err != nil {
			return Entry{}, false, err
		}
	}
	if l := f.logs[owner]; l != nil {
		e = l.fresh[identity]
	}
	return e, gone, nil
}

// useLinks is off where a test plays a system without hard links.
var useLinks = true

// claim makes the claim at path for the writer, or returns whose it is: "" where the owner
// has not signed yet. A claim is one more name of the writer's signature: made and signed
// at once, and without a file of its own, which a full group of an ext4 takes 0.2 ms to find
// a place for. Where there are no hard links, or a file has as many names as it may, it is a
// file with the same content.
func (w *Writer) claim(path string) (owner string, err error) {
	if useLinks && os.Link(w.folder.signPath(w.name), path) == nil {
		return w.name, nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if errors.Is(err, fs.ErrExist) {
		if owner, err := os.Readlink(path); err == nil {
			return owner, nil // of an earlier version
		}
		b, err := os.ReadFile(path)
		return string(b), err
	}
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(w.name)
	if e := f.Close(); err == nil {
		err = e
	}
	return w.name, err
}
