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
	dir, err := s.inside(r.PathValue("path"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	progress := filepath.Join(dir, ProgressName)
	st, err := os.Lstat(progress)
	if err != nil || !st.Mode().IsRegular() {
		http.Error(w, "nothing runs there", http.StatusNotFound)
		return
	}
	file := filepath.Join(dir, CancelName)
	if _, err := os.Lstat(file); err == nil {
		_ = os.Remove(file) // an earlier request: the time of the file has to be new
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = f.Close()
	if time.Since(st.ModTime()) > staleAfter {
		_ = os.Remove(progress) // it was killed; one that lives writes it again
	}
	time.AfterFunc(cancelFor, func() { _ = os.Remove(file) })
	w.WriteHeader(http.StatusNoContent)
}
