package comm

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/causeway-sim/causeway/components/registry"
)

// Options hold what a trace leaves open.
type Options struct {
	Format string // a name in All; "" looks at the content
	Ranks  int    // required number; 0 takes the number in the trace
}

// MaxRanks bounds the ranks of a program.
const MaxRanks = 1 << 20

// Open reads a communication trace. The path is a file of all ranks, a name with
// %d (or %04d) in place of the rank, a folder with a file per rank, or a tar
// archive of one, compressed by gzip or not. The second result is the name of
// the format.
func Open(path string, o Options) (*Program, string, error) {
	l := newLoader(o)
	if o.Format != "" {
		e, ok := All.Entry(o.Format)
		if !ok {
			return nil, "", Errorf(path, "unknown format %q (want one of: %s)", o.Format, strings.Join(All.Names(), ", "))
		}
		l.format = e
	}
	if err := l.walk(path); err != nil {
		return nil, l.format.Name, err
	}
	p, err := l.done(path)
	return p, l.format.Name, err
}

// Decode reads one file of a trace from memory; if the format has a file per rank, it is that of
// rank 0. format is a name in All; name is for errors.
func Decode(name string, data []byte, format string) (*Program, error) {
	e, ok := All.Entry(format)
	if !ok {
		return nil, Errorf(name, "unknown format %q (want one of: %s)", format, strings.Join(All.Names(), ", "))
	}
	l := newLoader(Options{Format: format})
	l.format = e
	if err := l.read(&Input{Name: name, Size: int64(len(data)), At: bytes.NewReader(data)}); err != nil {
		return nil, err
	}
	return l.done(name)
}

// A loader goes through the files of a trace.
type loader struct {
	Builder
	options Options
	format  registry.Entry[Format]
	reader  Reader // of the format, from the first file on
}

func newLoader(o Options) *loader {
	return &loader{options: o, Builder: Builder{ranks: map[int]*Rank{}}}
}

func (l *loader) read(in *Input) error {
	if l.reader == nil {
		l.reader = l.format.New.Reader(&l.Builder)
	}
	return l.reader.Read(in)
}

func (l *loader) walk(path string) error {
	if verb := rankVerb.FindString(path); verb != "" {
		return l.pattern(path, verb)
	}
	info, err := os.Stat(path)
	if err != nil {
		return notThere(path, err)
	}
	if info.IsDir() {
		return l.folder(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return notThere(path, err)
	}
	defer f.Close()
	magic := make([]byte, 512)
	n, _ := f.ReadAt(magic, 0)
	magic = magic[:n]
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(f)
		if err != nil {
			return Errorf(path, "cannot decompress: %v", err)
		}
		return l.compressed(path, z)
	case isTar(magic):
		return l.archive(path, f)
	}
	return l.single(&Input{Name: path, Size: info.Size(), At: f})
}

// rankVerb is where a name has the rank.
var rankVerb = regexp.MustCompile(`%0?[0-9]*d`)

func notThere(path string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return Errorf(path, "%v", err)
}

// IsSet reports whether a path names one file per rank, and lists the existing ones: for a name
// with %d from rank 0 to the first missing one, for a folder all.
func IsSet(path string) (files []string, ok bool) {
	if rankVerb.MatchString(path) {
		for i := 0; i < MaxRanks; i++ {
			name := fmt.Sprintf(path, i)
			if _, err := os.Stat(name); err != nil {
				break
			}
			files = append(files, name)
		}
		return files, true
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil, false
	}
	list, err := os.ReadDir(path) // sorted
	if err != nil {
		return nil, true
	}
	for _, e := range list {
		if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
			files = append(files, filepath.Join(path, e.Name()))
		}
	}
	return files, true
}

// pattern reads the files of ranks 0, 1, 2...
func (l *loader) pattern(path, verb string) error {
	if strings.Count(path, "%") != 1 {
		return Errorf(path, "want one %s for the rank and no other %%", verb)
	}
	for i := 0; i < MaxRanks; i++ {
		name := fmt.Sprintf(path, i)
		f, err := os.Open(name)
		end := l.options.Ranks > 0 && i == l.options.Ranks
		switch {
		case errors.Is(err, fs.ErrNotExist) && (end || l.options.Ranks == 0 && i > 0):
			return nil
		case err == nil && end:
			f.Close()
			return Errorf(name, "there are more than %d ranks", i)
		}
		if err != nil {
			return notThere(name, err)
		}
		info, err := f.Stat()
		if err == nil {
			err = l.one(&Input{Name: name, Rank: i, Size: info.Size(), At: f}, false)
		}
		f.Close()
		if err != nil {
			return err
		}
	}
	return Errorf(path, "more than %d ranks", MaxRanks)
}

func (l *loader) folder(path string) error {
	files, _ := IsSet(path)
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return notThere(name, err)
		}
		info, err := f.Stat()
		if err == nil {
			err = l.one(&Input{Name: name, Rank: rankOf(name), Size: info.Size(), At: f}, true)
		}
		f.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

func isTar(b []byte) bool { return len(b) >= 262 && string(b[257:262]) == "ustar" }

// maxMember is the greatest size of a file of an archive, which is kept in memory one at a time.
const maxMember = 2 << 30

func (l *loader) compressed(path string, z io.Reader) error {
	head := make([]byte, 512)
	n, err := io.ReadFull(z, head)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return Errorf(path, "cannot decompress: %v", err)
	}
	all := io.MultiReader(bytes.NewReader(head[:n]), z)
	if isTar(head[:n]) {
		return l.archive(path, all)
	}
	b, err := io.ReadAll(io.LimitReader(all, maxMember+1))
	switch {
	case err != nil:
		return Errorf(path, "cannot decompress: %v", err)
	case len(b) > maxMember:
		return Errorf(path, "more than %d bytes after decompression", maxMember)
	}
	return l.single(&Input{Name: path, Size: int64(len(b)), At: bytes.NewReader(b)})
}

func (l *loader) archive(path string, r io.Reader) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return Errorf(path, "the archive is cut off")
		case err != nil:
			return Errorf(path, "cannot read the archive: %v", err)
		}
		if h.Typeflag != tar.TypeReg || strings.HasPrefix(filepath.Base(h.Name), ".") {
			continue
		}
		if h.Size > maxMember {
			return Errorf(path, "%s is larger than %d bytes", h.Name, maxMember)
		}
		b, err := io.ReadAll(t)
		if err != nil {
			return Errorf(path, "%s: the archive is cut off", h.Name)
		}
		in := &Input{Name: path + ":" + h.Name, Rank: rankOf(h.Name), Size: int64(len(b)), At: bytes.NewReader(b)}
		if err := l.one(in, true); err != nil {
			return err
		}
	}
}

var number = regexp.MustCompile(`[0-9]+`)

// rankOf is the last number in the name of a file, without its extension; -1 if
// there is none.
func rankOf(name string) int {
	base := filepath.Base(name)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	all := number.FindAllString(base, -1)
	if len(all) == 0 {
		return -1
	}
	n, err := strconv.Atoi(all[len(all)-1])
	if err != nil || n >= MaxRanks {
		return -1
	}
	return n
}

// single reads a file that stands alone.
func (l *loader) single(in *Input) error {
	if in.Size == 0 {
		return Errorf(in.Name, "the file is empty")
	}
	return l.one(in, false)
}

// one reads a file. Among others, a file of no format is passed over.
func (l *loader) one(in *Input, among bool) error {
	best, fits := l.sniff(in.head())
	switch {
	case l.format.Name == "" && best == 0 && among:
		return nil
	case l.format.Name == "" && best == 0:
		return Errorf(in.Name, "the content is of no known format of communication traces (want one of: %s)", strings.Join(All.Names(), ", "))
	case l.format.Name == "":
		l.format = fits
	case among && best == 0:
		return nil
	case best > 0 && fits.Name != l.format.Name && l.options.Format == "":
		return Errorf(in.Name, "is of format %s, others are of %s", fits.Name, l.format.Name)
	}
	if l.format.New.PerRank && in.Rank < 0 {
		return Errorf(in.Name, "the name has no number that says which rank it is of")
	}
	return l.read(in)
}

func (l *loader) sniff(head []byte) (int, registry.Entry[Format]) {
	best, fits := 0, registry.Entry[Format]{}
	for _, e := range All.Entries() {
		if n := e.New.Sniff(head); n > best {
			best, fits = n, e
		}
	}
	return best, fits
}

// done puts the ranks together.
func (l *loader) done(path string) (*Program, error) {
	b := &l.Builder
	if len(b.ranks) == 0 {
		return nil, Errorf(path, "there is no communication trace in it (want one of: %s)", strings.Join(All.Names(), ", "))
	}
	n := max(b.N, len(b.ranks))
	var missing []int
	for i := range n {
		if b.ranks[i] == nil {
			missing = append(missing, i)
		}
	}
	if len(missing) > 0 && l.format.New.PerRank {
		return nil, Errorf(path, "there are %d ranks, but none with number %d", len(b.ranks), missing[0])
	}
	if o := l.options.Ranks; o > 0 && o != n {
		return nil, Errorf(path, "has %d ranks, not %d", n, o)
	}
	p := NewProgram(n)
	if err := l.reader.Finish(p); err != nil {
		return nil, err
	}
	for i := range n {
		if r := b.ranks[i]; r != nil {
			p.Ranks[i] = *r
		}
		if err := p.Ranks[i].Seal(); err != nil {
			return nil, Errorf(path, "rank %d: %v", i, err)
		}
	}
	return p, nil
}

// Knows reports whether Open accepts a path: it names several files or an archive, or its content
// has a known format.
func Knows(path string) bool {
	if rankVerb.MatchString(path) {
		return true
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.IsDir() {
		return err == nil
	}
	head := make([]byte, headSize)
	n, _ := f.ReadAt(head, 0)
	head = head[:n]
	if z, err := gzip.NewReader(bytes.NewReader(head)); err == nil {
		plain := make([]byte, headSize)
		n, _ := io.ReadFull(z, plain)
		head = plain[:n]
	}
	best, _ := (&loader{}).sniff(head)
	return best > 0 || isTar(head)
}
