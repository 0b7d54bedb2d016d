// Package result holds the result of a run, and writes and reads its files.
//
// A [Result] has metrics, tables, the tree of causes and a sentence that names the main cause.
// Package experiment makes it. [Result.WriteDir] writes its folder, with result.json last, so a
// folder with that file is complete. [Headlines] are the main metrics, declared by the kinds of
// nodes; a [Goal] is the metric by which a run is judged. [Identity] is a hash of version,
// configuration and inputs. Each metric and column has its unit (stats.Unit).
//
// Errors are those of files, and numbers that are not finite ([Result.DropNonFinite]). Left out:
// running (experiment) and drawing (report).
package result
