// Package atomicfile writes files atomically: a file gets its name when it is complete, so no
// reader sees a part of it.
//
// [Write] writes bytes; a [File] of [Create] is written piece by piece and ended with Commit or
// Discard. Until Commit the file has a temporary name in the same folder. A path that is no
// regular file, such as a pipe or /dev/stdout, is written directly and never replaced.
//
// Left out: making folders, and fsync.
package atomicfile
