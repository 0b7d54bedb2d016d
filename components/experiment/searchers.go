package experiment

import (
	"errors"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// A Setting is a path=value that a command-line flag stands for.
type Setting struct {
	Flag string // flag that errors name
	Set  string
}

// asked reads a configuration again with the settings of Options.Search, which depend on its
// nodes. It maps nothing.
func (l *Loader) asked(x *Experiment, read func(set []string) (*configs.Document, error)) (*Experiment, error) {
	more, err := x.options.Search(searchers(x.doc))
	if err != nil {
		return nil, err
	}
	set := append([]string(nil), x.options.Set...)
	for _, s := range more {
		set = append(set, s.Set)
	}
	doc, err := read(set)
	if doc == nil {
		return nil, atFlags(err, len(x.options.Set), more)
	}
	y, err := l.open(doc)
	if y != nil {
		y.flags = more
	}
	return y, atFlags(err, len(x.options.Set), more)
}

// searchers returns the names of the nodes that search for mappings of loop nests: of their own
// nest, or of the products of a workload. A node in a group has the name of the group.
func searchers(doc *configs.Document) (out []string) {
	kinds := map[string]bool{}
	for _, e := range system.Kinds.Entries() {
		kinds[e.New.Kind] = kinds[e.New.Kind] || e.New.Searches
	}
	var walk func(nodes configs.Value, prefix string)
	walk = func(nodes configs.Value, prefix string) {
		for _, n := range nodes.Items() {
			name, kind := prefix+n.Get("name").Text(), n.Get("kind").Text()
			if kinds[kind] {
				out = append(out, name)
			} else if g := doc.Root.Get("groups").Get(n.Get("group").Text()); g.Exists() {
				walk(g.Get("nodes"), name+".")
			}
		}
	}
	walk(doc.Root.Get("nodes"), "")
	return out
}

// atFlags points errors about settings after the first n at the flags that stand for them.
func atFlags(err error, n int, flags []Setting) error {
	if err == nil || len(flags) == 0 {
		return err
	}
	var out configs.Errors
	for _, one := range configs.Each(err) {
		e, ok := errors.AsType[*configs.Error](one)
		if ok && e.File == configs.SetFile && e.Line > n && e.Line-n <= len(flags) {
			c := *e
			c.Pos = configs.Pos{File: flags[e.Line-n-1].Flag}
			one = &c
		}
		out.Add(one)
	}
	return out.Err()
}
