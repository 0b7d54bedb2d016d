// Package catalogue lists everything that is registered: kinds of nodes, models, routing
// algorithms, presets and the rest, each with its sentence, source and keys.
//
// causeway list and describe print [All]. [FindKey] finds the keys that a --set path may mean.
// [Schema] is the JSON Schema of the language. Only what the program imports is registered;
// components/std imports everything. Left out: configurations and their values (configs).
package catalogue
