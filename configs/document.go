package configs

import (
	"io/fs"
	"os"
)

// Options say how a configuration is loaded.
type Options struct {
	Set      []string                          // path=value, in order; the later one wins
	Inputs   string                            // what inputs:x is relative to; "" takes CAUSEWAY_INPUTS
	ReadFile func(name string) ([]byte, error) // nil reads the disk
	Presets  fs.FS                             // NAME.yaml files; nil takes the built-in ones
	Sections []string                          // top-level keys accepted beside the ones of the language
}

// A Document is one configuration with everything filled in.
type Document struct {
	Root  Value    // the resolved tree, in file order
	Files []string // every file read, in the order of reading, for hashing

	opts    Options
	name    string
	presets map[string]*node
}

// Load reads a configuration file. The error is an Errors that holds all
// complaints. A document beside an error lacks only what was complained
// about: who builds from it may go on to collect more complaints.
func Load(file string, opts Options) (*Document, error) {
	return NewLoader(opts).Load(file, opts.Set...)
}

// Parse is Load for text that is at hand; name is its file.
func Parse(name string, src []byte, opts Options) (*Document, error) {
	return NewLoader(opts).Parse(name, src, opts.Set...)
}

func (o Options) read(name string) ([]byte, error) {
	if o.ReadFile != nil {
		return o.ReadFile(name)
	}
	return os.ReadFile(name)
}
