// Package atomicfile writes files that have their name when all of them is written, so that no
// reader sees half of one.
//
// [Write] writes bytes; a [File] of [Create] is written piece by piece and ended with Commit or
// Discard. Until then it has a temporary name in the same folder. What is no regular file, such as
// a pipe or /dev/stdout, is written as it goes and never replaced. Folders are not made.
package atomicfile
