package configs

import "embed"

// Library holds the folders examples and studies that lie in this package's folder. Programs
// that do not use it do not carry it.
//
//go:embed examples/*.yaml examples/traces examples/timeloop studies
var Library embed.FS
