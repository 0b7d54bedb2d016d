// Package build identifies the running build of the program, so that results of different builds
// are not mixed. Running returns it; nothing fails.
//
// A build of a clean checkout is identified by its revision: the same revision built on another
// machine computes the same. Any other build (uncommitted changes, no revision in the binary, the
// program of another module) is identified by the Go build ID of the executable, which changes
// with the code. Without a build ID it is a hash of the executable, or "unknown" if that cannot be
// read.
package build

import (
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
)

// module is the path of this module. The revision of another main module does not identify our
// code.
const module = "github.com/causeway-sim/causeway"

// An Info describes a build.
type Info struct {
	Version  string `json:"version"`            // of the models
	Revision string `json:"revision,omitempty"` // of the checkout; "" where the binary does not say
	Dirty    bool   `json:"dirty,omitempty"`    // the checkout had uncommitted changes
	ID       string `json:"go_build_id"`        // of the executable, see go tool buildid
}

// Key identifies the build: builds with equal keys have the same code.
func (i Info) Key() string {
	if i.Revision != "" && !i.Dirty {
		return i.Version + " revision " + i.Revision
	}
	return i.Version + " build " + i.ID
}

// String is a short description of the build, for messages.
func (i Info) String() string {
	var about []string
	if i.Revision != "" {
		r := "revision " + i.Revision[:min(12, len(i.Revision))]
		if i.Dirty {
			r += "+dirty"
		}
		about = append(about, r)
	}
	if i.Revision == "" || i.Dirty {
		about = append(about, "Go build ID "+i.ID[strings.LastIndexByte(i.ID, '/')+1:])
	}
	return fmt.Sprintf("%s (%s)", i.Version, strings.Join(about, ", "))
}

// Running returns the build of the running program; version is the version of its models.
func Running(version string) Info {
	i := stamped()
	i.Version = version
	return i
}

// stamped reads the executable once.
var stamped = sync.OnceValue(func() Info {
	var i Info
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Path == module {
		i = ofSettings(b.Settings)
	}
	i.ID = executableID()
	return i
})

// ofSettings picks the revision out of what the go command stamps.
func ofSettings(settings []debug.BuildSetting) Info {
	var i Info
	for _, s := range settings {
		switch s.Key {
		case "vcs.revision":
			i.Revision = s.Value
		case "vcs.modified":
			i.Dirty = s.Value == "true"
		}
	}
	return i
}
