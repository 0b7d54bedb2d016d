// Package setting is what nodes of CXL are like, as a configuration says it: links, root ports,
// switches, fabrics, devices and what they lose, each with its defaults and checks.
//
// Latencies are whole picoseconds. Package cxl builds the nodes.
package setting
