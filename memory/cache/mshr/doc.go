// Package mshr keeps the lines that a cache has asked for and that have not come.
//
// A File has a number of miss status holding registers for each slice. A Register is one line
// under way, with the accesses that wait for it. A line is found in constant time; nothing
// allocates once the lists have grown. It knows no time: package cache says when lines come.
package mshr
