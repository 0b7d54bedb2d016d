package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/components/experiment"
)

// stdinFile stands for standard input where a configuration is named.
const stdinFile = "-"

// nameOf returns the name of a configuration: its file's name, or stdin.
func nameOf(file string) string {
	if file == stdinFile {
		return "stdin"
	}
	return strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
}

// load reads a configuration and finds all that is wrong with it, until ctx ends. The file
// "-" is standard input; files that it names are relative to the working directory.
func load(ctx context.Context, file string, o experiment.Options) (*experiment.Experiment, error) {
	if file == stdinFile {
		src, err := io.ReadAll(os.Stdin)
		if err != nil {
			return nil, command.BadInput(fmt.Errorf("standard input: %w", err))
		}
		x, err := experiment.Parse(nameOf(file), src, o)
		return x, command.BadInput(err)
	}
	x, err := experiment.LoadContext(ctx, file, o)
	if ctx.Err() != nil {
		if err := stopped(ctx, file); err != nil {
			return nil, err
		}
		return nil, command.Interrupted("nothing was run")
	}
	return x, command.BadInput(err)
}
