package site

import (
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// cancelFor is how long the request to cancel stays: those that it is for look twice a second.
const cancelFor = 10 * time.Second

// cancel asks the run or the sweep that works in a folder to end. What was found so far stays.
func (s *Site) cancel(w http.ResponseWriter, r *http.Request) {
	path := r.PathValue("path")
	dir, err := s.inside(path)
	if err != nil {
		if s.jobs.kill(filepath.Join(s.dir, filepath.FromSlash(path))) { // it has no folder yet
			w.WriteHeader(http.StatusNoContent)
			return
		}
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	progress := filepath.Join(dir, ProgressName)
	st, err := os.Lstat(progress)
	if err != nil || !st.Mode().IsRegular() {
		if s.jobs.kill(dir) {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		http.Error(w, "nothing runs there", http.StatusNotFound)
		return
	}
	file, err := askToEnd(dir)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if time.Since(st.ModTime()) > staleAfter {
		_ = os.Remove(progress) // it was killed; one that lives writes it again
	}
	time.AfterFunc(cancelFor, func() { _ = os.Remove(file) })
	w.WriteHeader(http.StatusNoContent)
}

// askToEnd writes the file that asks what works in a folder to end.
func askToEnd(dir string) (file string, err error) {
	file = filepath.Join(dir, CancelName)
	_ = os.Remove(file) // of an earlier request: the time of the file has to be new
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return "", err
	}
	return file, f.Close()
}
