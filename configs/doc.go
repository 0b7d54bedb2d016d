// Package configs reads configurations: YAML in which every value knows its
// file, line and column, parameters, extends, presets, --set overrides, strict
// decoding into Spec structs, and JSON Schema made from these.
package configs
