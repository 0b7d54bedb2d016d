package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return s.readFile() }
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
		return badInput(fmt.Errorf("%s: %w", path, err))
	}
	known := map[string]bool{"inputs": true, "engine": true, "quiet": true, "jobs": true, "out": true}
	for _, key := range s.v.AllKeys() {
		if !known[key] {
			return badInput(fmt.Errorf("%s: unknown setting %q (want one of: engine, inputs, jobs, out, quiet)", path, key))
		}
	}
	return nil
}

// options are what a run needs to know of the settings.
func (s *settings) options(set []string) experiment.Options {
	return experiment.Options{Set: set, Inputs: s.v.GetString("inputs"), Engine: s.v.GetString("engine")}
}

func (s *settings) quiet() bool { return s.v.GetBool("quiet") }

// interrupted is the exit of a command whose context has ended.
func interrupted(ctx context.Context) error {
	return &exitError{exitInterrupted, fmt.Errorf("interrupted: %w", context.Cause(ctx))}
}
