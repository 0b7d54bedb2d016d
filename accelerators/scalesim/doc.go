// Package scalesim counts a layer on a systolic array exactly as SCALE-Sim v3
// does, with the quirks that the tool has.
//
// It is arithmetic: no clock, no ports, no memory that limits.
package scalesim
