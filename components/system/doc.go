// Package system makes a wired Akita system out of a configuration.
//
// A node kind registers itself (Register) with the keys it accepts; Build makes
// the nodes of a document, joins their ports with wires, and gives every
// requester its address map. All that is wrong with a document is reported at
// once.
package system
