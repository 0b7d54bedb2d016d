// Package symmetry finds ranks of a parallel program that do the same at the same times, so that
// one of them can be simulated for all.
//
//	f, why := symmetry.Find(&symmetry.System{Program: p, Plan: plan, Route: route, ...})
//	f.Group.Rep(r) // the rank that stands for r
//
// A symmetry is a permutation of ranks that keeps everything: the operations of a rank become those
// of the rank that it is moved to, with the ranks and communicators in them moved too, so do the
// schedules of collectives, and each channel that a message takes becomes the one that the moved
// message takes. A system that begins in a state which a symmetry keeps stays in such states, so
// ranks that are moved to each other have equal states at all times.
//
// # Permutations
//
// Ranks are numbers of a mixed radix. The permutations tried are those that turn one digit: rank
// (x*Base + y)*Unit + z goes to (x*Base + (y+1)%Base)*Unit + z. These are turns of a ring (Unit*Base
// is the number of ranks), replicas of a plan in several dimensions (one digit each), and exchanges
// at a distance (Base 2). Digits that do not overlap commute, and no rank keeps its place. Find
// takes the largest digits first.
//
// # What it demands
//
// A channel is moved by every turn: equal ranks that share a channel differ in when they get it.
// Routes depend on the two ends of a message alone. Ranks of a communicator are represented by ranks
// of the same communicator.
//
// # Equal times
//
// Where two messages reach a channel at the same instant, the order of what came before decides who
// goes first, and at last the order of terminals. A turn keeps that order among ranks that it moves
// by the same amount if terminals have the order of ranks (Fold.Ordered), and else it may not. The
// network has to notice such meetings during the run (network.Unequal).
//
// Left out: ranks that are equal only for a time, symmetries of other kinds, and the simulation.
package symmetry
