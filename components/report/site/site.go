package site

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment"
)

// ProgressName is the file in which a run or a sweep says how far it is, while it goes.
const ProgressName = "progress.json"

// CancelName is the file that asks a run or a sweep to end as by Ctrl-C. The site writes it into
// the folder of results, and removes it soon after.
const CancelName = "cancel"

// A Site is the handler of a folder.
type Site struct {
	dir     string // without links
	root    *os.Root
	token   string
	options experiment.Options
	mux     *http.ServeMux
	trials  trials
	jobs    jobs

	// Command is the program itself with arguments: sweeps run in processes of their own. With
	// nil no sweep can be started.
	Command func(args ...string) *exec.Cmd
}

// New makes a handler for a folder. Options say how configurations are tried.
func New(dir string, o experiment.Options) (*Site, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	s := &Site{dir: dir, root: root, token: hex.EncodeToString(b), options: o, mux: http.NewServeMux()}
	s.mux.HandleFunc("GET /{$}", s.index)
	s.mux.HandleFunc("GET /api/running", s.running)
	s.mux.HandleFunc("GET /run/{path...}", s.run)
	s.mux.HandleFunc("GET /sweep/{path...}", s.sweep)
	s.mux.HandleFunc("GET /compare", s.compare)
	s.mux.HandleFunc("GET /file/{path...}", s.file)
	s.mux.HandleFunc("GET /config/{path...}", s.form)
	s.mux.HandleFunc("POST /api/try/{path...}", s.try)
	s.mux.HandleFunc("POST /api/save/{path...}", s.save)
	s.mux.HandleFunc("POST /api/cancel/{path...}", s.cancel)
	s.mux.HandleFunc("POST /api/sweep/{path...}", func(w http.ResponseWriter, r *http.Request) {
		if s.Command == nil {
			http.Error(w, "no sweep can be started here", http.StatusNotFound)
			return
		}
		s.start(w, r)
	})
	return s, nil
}

// Token is what every path begins with.
func (s *Site) Token() string { return s.token }

// Close ends the sweeps that the site has started, and closes the folder.
func (s *Site) Close() error {
	s.jobs.close()
	return s.root.Close()
}

// ServeHTTP implements http.Handler.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src 'self' data: blob:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
	h.Set("Referrer-Policy", "no-referrer") // the token is in the address
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	if why := refused(r); why != "" {
		http.Error(w, why, http.StatusForbidden)
		return
	}
	if r.URL.Path == "/" && s.knows(r.URL.Query().Get("token")) {
		http.Redirect(w, r, "/"+s.token+"/", http.StatusSeeOther)
		return
	}
	token, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if !s.knows(token) {
		http.Error(w, "the token is missing: open the address that causeway serve has printed", http.StatusForbidden)
		return
	}
	if !plain(r.URL) {
		http.Error(w, "no such path", http.StatusBadRequest)
		return
	}
	inner := r.Clone(r.Context())
	inner.URL = &url.URL{Path: "/" + rest, RawQuery: r.URL.RawQuery}
	s.mux.ServeHTTP(w, inner)
}

func (s *Site) knows(token string) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) == 1
}

// refused says why a request is not this machine's own browser's; "" where it is. A page of
// another site may know how to reach us, also by a name of its own that leads here.
func refused(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return "this host is not served"
	}
	if o := r.Header.Get("Origin"); o != "" && o != "http://"+r.Host {
		return "other origins are refused"
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		return "other origins are refused"
	}
	return ""
}

// plain reports whether a path says what it means: no dots that lead up, nothing escaped
// that separates.
func plain(u *url.URL) bool {
	raw := strings.ToLower(u.EscapedPath())
	for _, bad := range []string{"%2f", "%5c", "%00", "%2e", "\\", "//"} {
		if strings.Contains(raw, bad) {
			return false
		}
	}
	for _, part := range strings.Split(u.Path, "/") {
		if part == ".." || part == "." {
			return false
		}
	}
	return true
}

var errOutside = errors.New("it is not in the folder that is served")

// inside is the place of a path of the folder on the disk. Links are followed, and must not
// lead out.
func (s *Site) inside(path string) (string, error) {
	if path == "" {
		path = "."
	}
	if !fs.ValidPath(path) {
		return "", errOutside
	}
	full, err := filepath.EvalSymlinks(filepath.Join(s.dir, filepath.FromSlash(path)))
	if err != nil {
		return "", errOutside
	}
	rel, err := filepath.Rel(s.dir, full)
	if err != nil || !filepath.IsLocal(rel) {
		return "", errOutside
	}
	return full, nil
}

// file sends a file of the folder as it is, as text or for download.
func (s *Site) file(w http.ResponseWriter, r *http.Request) {
	path := r.PathValue("path")
	f, err := s.root.Open(filepath.FromSlash(path))
	if err != nil {
		http.Error(w, errOutside.Error(), http.StatusNotFound)
		return
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() {
		http.Error(w, errOutside.Error(), http.StatusNotFound)
		return
	}
	kind := "text/plain; charset=utf-8"
	if filepath.Ext(path) == ".json" {
		kind = "application/json"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Security-Policy", "sandbox")
	http.ServeContent(w, r, filepath.Base(path), st.ModTime(), f)
}

// send sends a page, or says why there is none.
func send(w http.ResponseWriter, html []byte, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(html) // who asked may have gone
}
