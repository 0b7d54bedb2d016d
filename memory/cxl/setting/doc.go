// Package setting has the configurations of CXL nodes: links, root ports, switches, fabrics,
// devices and losses, each with defaults and checks.
//
// DefaultRoot, DefaultSwitch, DefaultFabric, DefaultType2, DefaultType3 and DefaultLink return
// one each. Latencies are whole picoseconds; units are in the values. Behaviour is left out:
// package cxl builds the nodes. Check, InTime and Config return errors for impossible values.
package setting
