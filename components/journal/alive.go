package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// How often a writer shows that it is alive, and after how long without a sign
// it counts as dead. Attributes of shared file systems are cached for up to a
// minute.
var (
	beatEvery = 10 * time.Second
	deadAfter = 90 * time.Second
)

func (f *Folder) lockPath(writer string) string {
	return filepath.Join(f.journals(), writer+".lock")
}

// signPath is a file with the writer's name in it, which its claims are links to.
func (f *Folder) signPath(writer string) string {
	return filepath.Join(f.journals(), writer+".sign")
}

// alive reports whether a writer works; f.mu is held.
func (f *Folder) alive(writer string) bool {
	path := f.lockPath(writer)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return false // it has left
	}
	if l := f.logs[writer]; l != nil && l.header.Locks && l.header.Machine == machine() {
		probe := flock.New(path, flock.SetFlag(os.O_RDONLY))
		free, err := probe.TryRLock()
		if err == nil {
			_ = probe.Close()
			return !free
		}
	}
	return f.beating(path)
}

// beating reports whether the time of a file changes: it does not count as still
// before it has been watched for deadAfter. f.mu is held.
func (f *Folder) beating(path string) bool {
	now := time.Now()
	st, err := os.Stat(path)
	b, known := f.beats[path]
	if err != nil || !known || !b.mod.Equal(st.ModTime()) {
		b = beat{seen: now}
		if err == nil {
			b.mod = st.ModTime()
		}
		f.beats[path] = b
	}
	return now.Sub(b.seen) < deadAfter
}

// machine is equal for processes that share a kernel, and with it file locks.
func machine() string {
	if b, err := os.ReadFile("/proc/sys/kernel/random/boot_id"); err == nil {
		return strings.TrimSpace(string(b))
	}
	h, _ := os.Hostname()
	return h
}
