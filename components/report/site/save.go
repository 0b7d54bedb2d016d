package site

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment"
)

// save sends a configuration with changed values as YAML, and writes it into the folder of its file under a
// name that is free, if the request names one.
func (s *Site) save(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Set map[string]string `json:"set"`
		As  string            `json:"as"` // "" only sends
	}
	path := r.PathValue("path")
	file, ok := s.asked(w, r, &q)
	if !ok {
		return
	}
	var a struct {
		Errors []string `json:"errors,omitempty"`
		Text   string   `json:"text,omitempty"`
		Path   string   `json:"path,omitempty"` // of the file that was written
	}
	a.Text, a.Errors = s.textWith(path, file, q.Set)
	if q.As != "" && a.Errors == nil {
		var err error
		if a.Path, err = s.write(path, q.As, a.Text); err != nil {
			a.Errors = []string{err.Error()}
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(a) // who asked may have gone
}

// textWith is the text of a file with values set. It is read back: where it means something
// else, or the values stand in other files, it is the resolved configuration.
func (s *Site) textWith(path, file string, set map[string]string) (string, []string) {
	o := s.options
	var errs []string
	if o.Set, errs = sets(set); errs != nil {
		return "", errs
	}
	want, err := experiment.NewLoader(o).Open(file, nil)
	if err != nil {
		return "", strings.Split(err.Error(), "\n")
	}
	source, err := os.ReadFile(file)
	if err != nil {
		return "", []string{err.Error()}
	}
	var pairs [][2]string
	for _, key := range keysOf(set) {
		pairs = append(pairs, [2]string{key, set[key]})
	}
	if text, err := changed(string(source), pairs); err == nil {
		back := experiment.NewLoader(s.options)
		back.Text(file, []byte(text))
		if got, err := back.Open(file, nil); err == nil && same(got.Config(), want.Config()) {
			return text, nil
		}
	}
	return fmt.Sprintf("# %s with %s, resolved: parameters, presets and other files are filled in.\n%s", path, strings.Join(o.Set, ", "), want.Config()), nil
}

// write writes a new file into the folder of path, and returns its path.
func (s *Site) write(path, name, text string) (string, error) {
	if name != filepath.Base(name) || strings.ContainsAny(name, `/\:`) || strings.HasPrefix(name, ".") || !strings.HasSuffix(name, ".yaml") {
		return "", fmt.Errorf("%q: want the name of a file that ends in .yaml, without a folder", name)
	}
	to := filepath.ToSlash(filepath.Join(filepath.Dir(filepath.FromSlash(path)), name))
	f, err := s.root.OpenFile(filepath.FromSlash(to), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("%s exists: give another name", to)
	}
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	return to, errors.Join(err, f.Close())
}

// sets are values as --set has them. A value that names a file out of the folder is an error.
func sets(set map[string]string) (out, errs []string) {
	for _, path := range keysOf(set) {
		v := set[path]
		if leadsOut(v) {
			errs = append(errs, ": "+path+": "+errOutside.Error())
			continue
		}
		out = append(out, path+"="+v)
	}
	return out, errs
}

// absolute finds a path that begins at the root of the disk, also inside a list or a mapping.
var absolute = regexp.MustCompile(`(^|[^\w.)\]}$])/`)

// leadsOut reports whether a value may name a file out of the folder.
func leadsOut(v string) bool {
	return strings.Contains(v, "..") || strings.Contains(v, `\`) || absolute.MatchString(v)
}
