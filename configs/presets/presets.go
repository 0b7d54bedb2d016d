// Package presets embeds the built-in hardware presets, one YAML file each. A preset has the
// values of one node (keys kind, doc, and source, which names the source of each number), or is a
// whole system to extend (key schema). configs.Presets lists them; quantities have their units.
package presets

import "embed"

// FS holds NAME.yaml for every preset.
//
//go:embed *.yaml
var FS embed.FS
