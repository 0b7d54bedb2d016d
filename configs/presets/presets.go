// Package presets holds the built-in hardware presets: YAML files with the
// defaults of one node each (kind, and doc and source, which say what it is and
// where each number is from), or a whole system to be extended (schema).
package presets

import "embed"

// FS holds NAME.yaml for every preset.
//
//go:embed *.yaml
var FS embed.FS
