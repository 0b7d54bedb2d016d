package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/viper"

	"github.com/causeway-sim/causeway/components/experiment"
)

// Settings say how to run, never what to simulate. A flag wins over a CAUSEWAY_* variable, which
// wins over the user's settings file, which wins over the default.
type Settings struct{ v *viper.Viper }

// NewSettings declares the persistent flags and binds them.
func NewSettings(root *cobra.Command) *Settings {
	s := &Settings{viper.NewWithOptions(viper.KeyDelimiter("::"))}
	f := root.PersistentFlags()
	f.String("inputs", "", "folder of the files whose names begin with inputs: (CAUSEWAY_INPUTS)")
	f.String("engine", "causeway", "event engine: "+strings.Join(experiment.EngineNames, ", "))
	f.Bool("quiet", false, "print no progress and no summary")
	if err := s.v.BindPFlags(f); err != nil {
		panic("causeway: " + err.Error())
	}
	s.v.SetEnvPrefix("CAUSEWAY")
	s.v.SetEnvKeyReplacer(strings.NewReplacer("-", "_"))
	s.v.AutomaticEnv()
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		if err := s.readFile(); err != nil {
			return err
		}
		return s.check()
	}
	return s
}

// readFile reads the user's settings, if there are any: CAUSEWAY_CONFIG, else
// causeway/config.yaml in the user's configuration folder.
func (s *Settings) readFile() error {
	path := os.Getenv("CAUSEWAY_CONFIG")
	if path == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return nil // no home, no file
		}
		path = filepath.Join(dir, "causeway", "config.yaml")
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			return nil
		}
	}
	s.v.SetConfigFile(path)
	if err := s.v.ReadInConfig(); err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return BadInput(fmt.Errorf("%s: the settings cannot be read: %w", path, err))
	}
	known := map[string]bool{"inputs": true, "engine": true, "quiet": true, "jobs": true}
	for _, key := range s.v.AllKeys() {
		if !known[key] {
			return BadInput(fmt.Errorf("%s: unknown setting %q (want one of: engine, inputs, jobs, quiet)", path, key))
		}
	}
	return nil
}

// check refuses values that viper would read as zero.
func (s *Settings) check() error {
	if v := s.v.GetString("quiet"); v != "" {
		if _, err := strconv.ParseBool(v); err != nil {
			return BadInput(fmt.Errorf("setting quiet: %q is neither true nor false", v))
		}
	}
	if v := s.v.GetString("jobs"); v != "" {
		if n, err := strconv.Atoi(v); err != nil || n < 1 {
			return BadInput(fmt.Errorf("setting jobs: %q is no whole number above 0", v))
		}
	}
	return nil
}

// Jobs is the number of sweep points that run at a time: the flag, else the setting, else the
// number of processors.
func (s *Settings) Jobs(flag int) int {
	if flag == 0 {
		flag = s.v.GetInt("jobs")
	}
	if flag == 0 {
		flag = runtime.NumCPU()
	}
	return flag
}

// Options are the settings as options of a run, with the --set values set.
func (s *Settings) Options(set []string) experiment.Options {
	return experiment.Options{Set: set, Inputs: s.Inputs(), Engine: s.Engine()}
}

// Engine is the name of the event engine.
func (s *Settings) Engine() string { return s.v.GetString("engine") }

// Inputs is the folder that the prefix inputs: of file names stands for; "" if none is set.
func (s *Settings) Inputs() string { return s.v.GetString("inputs") }

// Quiet reports whether no progress and no summary are printed.
func (s *Settings) Quiet() bool { return s.v.GetBool("quiet") }
