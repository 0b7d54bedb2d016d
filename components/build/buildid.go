package build

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"runtime"
)

// executableID is the Go build ID of the running executable, or a hash of its
// file where it carries none; "unknown" where it cannot be read.
func executableID() string {
	f, err := openSelf()
	if err != nil {
		return "unknown"
	}
	defer f.Close()
	if id := readID(f); id != "" {
		return id
	}
	h := sha256.New()
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "unknown"
	}
	if _, err := io.Copy(h, f); err != nil {
		return "unknown"
	}
	return "sha256/" + hex.EncodeToString(h.Sum(nil))
}

// openSelf opens the executable that runs, not the one that may have taken its
// place since.
func openSelf() (*os.File, error) {
	if runtime.GOOS == "linux" {
		if f, err := os.Open("/proc/self/exe"); err == nil {
			return f, nil
		}
	}
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}

// readID reads the build ID from the ELF note of the linker, or from the start
// of the text where other formats have it; "" if there is none. It reads a few
// KiB, however large the file is.
func readID(r io.ReaderAt) string {
	if f, err := elf.NewFile(r); err == nil {
		s := f.Section(".note.go.buildid")
		if s == nil {
			return ""
		}
		note, err := s.Data()
		if err != nil {
			return ""
		}
		return noteID(note, f.ByteOrder)
	}
	head := make([]byte, 64<<10)
	n, err := r.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return ""
	}
	return textID(head[:n])
}

// noteID is the description of an ELF note of owner "Go" and type 4.
func noteID(note []byte, order binary.ByteOrder) string {
	const header = 12
	if len(note) < header {
		return ""
	}
	name, desc, kind := order.Uint32(note), order.Uint32(note[4:]), order.Uint32(note[8:])
	if name != 4 || kind != 4 || string(note[header:min(header+4, len(note))]) != "Go\x00\x00" || uint64(len(note)) < header+4+uint64(desc) {
		return ""
	}
	return string(note[header+4 : header+4+desc])
}

// textID finds `\xff Go build ID: "..."`.
func textID(head []byte) string {
	_, rest, ok := bytes.Cut(head, []byte("\xff Go build ID: \""))
	if !ok {
		return ""
	}
	id, _, ok := bytes.Cut(rest, []byte("\""))
	if !ok {
		return ""
	}
	return string(id)
}
