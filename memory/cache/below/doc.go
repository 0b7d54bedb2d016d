// Package below sends the requests of a cache to the memories below it.
//
// A Port has one queue of orders, in the order in which they are pushed. It cuts them where their
// addresses change their home, and sends them in one of three ways: as messages, over the links of a
// block (see memory/block), or directly to the one memory that is there (see memory/direct).
// It knows no lines: what an order is for is a Purpose, which the answer brings back.
package below
