package configs

import "embed"

// Library holds the folders examples and studies that stand beside this package. Programs
// that do not use it do not carry it.
//
//go:embed examples/*.yaml examples/traces examples/timeloop studies
var Library embed.FS
