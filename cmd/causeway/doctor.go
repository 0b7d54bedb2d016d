package main

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/cmd/causeway/runs"
	"github.com/causeway-sim/causeway/components/atomicfile"
	"github.com/causeway-sim/causeway/components/build"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

func doctorCommand(s *command.Settings) *cobra.Command {
	var set []string
	var out string
	c := &cobra.Command{
		Use:   "doctor [CONFIG|RUN]",
		Short: "Check this installation, and collect what a bug report needs",
		Long: "Check this installation. With a configuration, or the folder of a run, a zip file is written\n" +
			"with what a report of a fault needs: version, build, machine, settings, the configuration as it is and\n" +
			"as it resolves, its seed, names and hashes of its inputs (not their contents), and what check says.",
		Example: "  causeway doctor system.yaml --set Core.rows=64 --out fault.zip",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return command.Wants("CONFIG")(c, args)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			var b bundle
			healthy := b.installation(c.Context(), s)
			if len(args) == 1 {
				var err error
				if st, e := os.Stat(args[0]); e == nil && st.IsDir() {
					err = b.run(args[0])
				} else {
					b.config(c.Context(), s, args[0], set)
				}
				if err == nil {
					err = b.write(out)
				}
				if err != nil {
					return command.BadInput(err)
				}
			}
			if _, err := c.OutOrStdout().Write(b.text.Bytes()); err != nil {
				return command.ExitWith(command.ExitInternal, err)
			}
			if len(args) == 1 {
				fmt.Fprintf(c.OutOrStdout(), "\nwritten to %s: look through it before you pass it on\n", out)
			}
			if !healthy {
				return command.ExitWith(command.ExitCheck, errors.New("this installation does not work as it should"))
			}
			return nil
		},
	}
	command.AddSet(c, &set)
	c.Flags().StringVarP(&out, "out", "o", "causeway-doctor.zip", "file to write")
	return c
}

// A bundle is what a report of a fault needs.
type bundle struct {
	text  bytes.Buffer // doctor.txt, also printed
	names []string
	files map[string][]byte
}

func (b *bundle) add(name string, data []byte) {
	if b.files == nil {
		b.files = map[string][]byte{}
	}
	b.names = append(b.names, name)
	b.files[name] = data
}

// installation describes the program and the machine, and tries both.
func (b *bundle) installation(ctx context.Context, s *command.Settings) (healthy bool) {
	i := build.Running(result.Version)
	fmt.Fprintf(&b.text, "causeway %s\ngo build ID %s\n%s, %s/%s, %d processors\n", i, i.ID, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	fmt.Fprintf(&b.text, "engine %s, inputs %q, jobs %d\n", s.Engine(), s.Inputs(), s.Jobs(0))
	for _, kv := range slices.Sorted(slices.Values(os.Environ())) {
		if strings.HasPrefix(kv, "CAUSEWAY_") || strings.HasPrefix(kv, "GOMAXPROCS=") || strings.HasPrefix(kv, "GOGC=") {
			fmt.Fprintln(&b.text, kv)
		}
	}
	healthy = true
	try := func(what string, f func() (string, error)) {
		if found, err := f(); err != nil {
			healthy = false
			fmt.Fprintf(&b.text, "FAULT %s: %v\n", what, err)
		} else {
			fmt.Fprintf(&b.text, "good  %s: %s\n", what, found)
		}
	}
	try("a simulation", func() (string, error) {
		src, err := starter.ReadFile("starter/config.yaml")
		if err != nil {
			return "", err
		}
		x, err := experiment.Parse("demo", src, s.Options([]string{"Core.fidelity=analytic"}))
		if err != nil {
			return "", err
		}
		res, _, err := x.Run(ctx, nil)
		if err != nil {
			return "", err
		}
		m, _ := res.Metric("", "total_cycles")
		return fmt.Sprintf("%.0f cycles", m.Value), nil
	})
	try("a folder for results", func() (string, error) {
		dir, err := os.MkdirTemp("", "causeway-*")
		if err != nil {
			return "", err
		}
		defer os.RemoveAll(dir)
		return os.TempDir(), runs.Prepare(filepath.Join(dir, "runs"))
	})
	if dir := s.Inputs(); dir != "" {
		try("the folder of inputs", func() (string, error) { _, err := os.ReadDir(dir); return dir, err })
	}
	return healthy
}

// config puts a configuration in, as it is and as it resolves.
func (b *bundle) config(ctx context.Context, s *command.Settings, file string, set []string) {
	fmt.Fprintf(&b.text, "\nconfiguration %s\n", file)
	for _, kv := range set {
		fmt.Fprintf(&b.text, "--set %s\n", kv)
	}
	x, err := load(ctx, file, s.Options(set))
	if src, e := os.ReadFile(file); e == nil {
		b.add("config/"+filepath.Base(file), src)
	}
	if err != nil {
		fmt.Fprintf(&b.text, "check: %v\n", err)
		return
	}
	fmt.Fprintf(&b.text, "check: good (%s)\nidentity %s\nseed %d\n", x.Describe(), x.Identity(), x.Seed())
	for _, in := range x.Inputs() {
		fmt.Fprintf(&b.text, "input %s %s\n", in.SHA256, in.Name)
	}
	for _, name := range x.Files() {
		if src, e := os.ReadFile(name); e == nil && name != file {
			b.add("config/"+filepath.Base(name), src)
		}
	}
	b.add("config.resolved.yaml", x.Config())
}

// run fills in the data of a run.
func (b *bundle) run(dir string) error {
	fmt.Fprintf(&b.text, "\nrun %s\n", dir)
	found := false
	for _, name := range []string{"result.json", "run.json", "config.resolved.yaml", "command.json", "sweep.json"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		found = true
		b.add(name, data)
	}
	if !found {
		return fmt.Errorf("%s holds neither a run nor a sweep", dir)
	}
	return nil
}

// write writes the zip file.
func (b *bundle) write(to string) error {
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for _, name := range append([]string{"doctor.txt"}, b.names...) {
		data := b.files[name]
		if name == "doctor.txt" {
			data = b.text.Bytes()
		}
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return atomicfile.Write(to, buf.Bytes())
}
