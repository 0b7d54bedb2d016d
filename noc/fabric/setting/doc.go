// Package setting says what a network of flits is like: the routers and channels as values
// (Config), the keys of a configuration file (Spec), and the models whose values hold for keys
// that are left out (Standard, BookSim, FOGSim). It follows from them how deep buffers have to
// be, how long an empty network takes, and what a time is in ticks of a channel. Nothing here
// moves a flit: package fabric does.
//
// A Config that is not checked may be refused later, so callers call Validate, or take it from
// Spec.Config, which does. Errors about a key of a router are KeyErrors: their caller knows
// the place of the key in its file.
package setting
