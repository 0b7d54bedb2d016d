// Package catalogue lists everything that is built in, from the registries themselves: kinds of
// nodes, models, routing algorithms, presets and the rest, each with its sentence, source and keys.
//
// [All] is what causeway list and describe print, [FindKey] what a path of --set may mean, [Schema]
// the JSON Schema of the language. Kinds are there once a program imports them (components/std).
package catalogue
