// Package reuse measures reuse distances: how many other lines are accessed between two accesses
// to a line. From them follow the hits of a fully associative LRU cache of every size.
package reuse
