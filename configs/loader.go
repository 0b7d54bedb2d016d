package configs

// A Loader loads configurations and reads each file once.
type Loader struct{ opts Options }

// NewLoader returns a loader; its Options.Set is not used.
func NewLoader(opts Options) *Loader { return &Loader{opts: opts} }

// Load reads file and applies the given --set overrides.
func (l *Loader) Load(file string, set ...string) (*Document, error) {
	src, err := l.opts.read(file)
	if err != nil {
		return nil, Errors{err}
	}
	return l.Parse(file, src, set...)
}

// Parse is Load for text that is at hand.
func (l *Loader) Parse(name string, src []byte, set ...string) (*Document, error) {
	v, err := ParseValue(name, src)
	if err != nil {
		return nil, err
	}
	return &Document{Root: v, Files: []string{name}, name: name, opts: l.opts}, nil
}
