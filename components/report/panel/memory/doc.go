// Package memory holds the panels of memory nodes: caches, DRAM, CXL and their levels. Import
// it for its effect on panel.All.
//
// # Left out
//
// Requests of a server and of its hosts (package panel), and energy.
package memory
