package experiment

import (
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/configs"
)

// Root is the configuration, resolved.
func (x *Experiment) Root() configs.Value { return x.doc.Root }

// Files are the configuration files that were read, built-in ones (preset:NAME) included.
func (x *Experiment) Files() []string { return x.doc.Files }

// Inputs are the files that the configuration names, with their hashes.
func (x *Experiment) Inputs() []result.Input { return x.inputs }

// Seed is the seed of everything random.
func (x *Experiment) Seed() uint64 { return x.sim.Seed }
