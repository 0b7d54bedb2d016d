package site

import (
	"net/http"

	"github.com/causeway-sim/causeway/components/report/folder"
	"github.com/causeway-sim/causeway/components/report/page"
	"github.com/causeway-sim/causeway/components/report/panel"
)

// run sends the report of a run, made of its files as they are now.
func (s *Site) run(w http.ResponseWriter, r *http.Request) {
	x, err := s.read(r.PathValue("path"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	b, err := page.Write(&panel.Data{Title: x.Name, Run: x})
	send(w, b, err)
}

// read reads a run of the folder.
func (s *Site) read(path string) (*panel.Run, error) {
	dir, err := s.inside(path)
	if err != nil {
		return nil, err
	}
	x, err := folder.Run(dir)
	if err != nil {
		return nil, err
	}
	x.Name = path
	return x, nil
}

// sweep sends the report of a sweep, of the points that the query keeps.
func (s *Site) sweep(w http.ResponseWriter, r *http.Request) {
	path := r.PathValue("path")
	dir, err := s.inside(path)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	x, err := folder.Sweep(dir)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	x, body, err := filtered(x, r.URL.Query())
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	b, err := page.WriteWith(&panel.Data{Title: path, Sweep: x}, body)
	send(w, b, err)
}

// compare holds run b against run a.
func (s *Site) compare(w http.ResponseWriter, r *http.Request) {
	a, err := s.read(r.FormValue("a"))
	if err != nil {
		http.Error(w, "a: "+err.Error(), http.StatusNotFound)
		return
	}
	b, err := s.read(r.FormValue("b"))
	if err != nil {
		http.Error(w, "b: "+err.Error(), http.StatusNotFound)
		return
	}
	html, err := page.Write(&panel.Data{Title: b.Name + " against " + a.Name, Run: b, Base: a})
	send(w, html, err)
}
