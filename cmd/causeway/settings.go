package main

import (
	"context"
	"errors"
	"fmt"
	"io"
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

// settings are the command's own: how to run, never what to simulate. They come
// from flags, then CAUSEWAY_* variables, then the user's file, then defaults.
type settings struct{ v *viper.Viper }

// newSettings declares the persistent flags and binds them.
func newSettings(root *cobra.Command) *settings {
	s := &settings{viper.NewWithOptions(viper.KeyDelimiter("::"))}
	f := root.PersistentFlags()
	f.String("inputs", "", "folder behind inputs: in file names (CAUSEWAY_INPUTS)")
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
func (s *settings) readFile() error {
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
		return badInput(fmt.Errorf("%s: the settings cannot be read: %w", path, err))
	}
	known := map[string]bool{"inputs": true, "engine": true, "quiet": true, "jobs": true}
	for _, key := range s.v.AllKeys() {
		if !known[key] {
			return badInput(fmt.Errorf("%s: unknown setting %q (want one of: engine, inputs, jobs, quiet)", path, key))
		}
	}
	return nil
}

// check refuses values that viper would read as zero.
func (s *settings) check() error {
	if v := s.v.GetString("quiet"); v != "" {
		if _, err := strconv.ParseBool(v); err != nil {
			return badInput(fmt.Errorf("setting quiet: %q is neither true nor false", v))
		}
	}
	if v := s.v.GetString("jobs"); v != "" {
		if n, err := strconv.Atoi(v); err != nil || n < 1 {
			return badInput(fmt.Errorf("setting jobs: %q is no whole number above 0", v))
		}
	}
	return nil
}

// jobs is how many points of a sweep run at a time: the flag, else the setting,
// else as many as there are processors.
func (s *settings) jobs(flag int) int {
	if flag == 0 {
		flag = s.v.GetInt("jobs")
	}
	if flag == 0 {
		flag = runtime.NumCPU()
	}
	return flag
}

// options are what a run needs to know of the settings.
func (s *settings) options(set []string) experiment.Options {
	return experiment.Options{Set: set, Inputs: s.v.GetString("inputs"), Engine: s.v.GetString("engine")}
}

// stdinFile stands for standard input where a configuration is named.
const stdinFile = "-"

// nameOf is what a configuration is called: its file's name, or stdin.
func nameOf(file string) string {
	if file == stdinFile {
		return "stdin"
	}
	return strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
}

// load reads a configuration and finds all that is wrong with it, until ctx ends. The file
// "-" is standard input; files that it names are relative to the working directory.
func (s *settings) load(ctx context.Context, file string, o experiment.Options) (*experiment.Experiment, error) {
	if file == stdinFile {
		src, err := io.ReadAll(os.Stdin)
		if err != nil {
			return nil, badInput(fmt.Errorf("standard input: %w", err))
		}
		x, err := experiment.Parse(nameOf(file), src, o)
		return x, badInput(err)
	}
	x, err := experiment.LoadContext(ctx, file, o)
	if ctx.Err() != nil {
		if err := stopped(ctx, file); err != nil {
			return nil, err
		}
		return nil, interrupted("nothing was run")
	}
	return x, badInput(err)
}

func (s *settings) quiet() bool { return s.v.GetBool("quiet") }
