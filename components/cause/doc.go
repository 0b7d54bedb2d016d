// Package cause says what the time of a run went to: one tree for all nodes.
//
// The tree of a run consists of one tree per node, and those of equal nodes are added up.
// The time of a node is that of the run, so the time of the run's tree is the sum over
// nodes. A node divides its time into parts that do not overlap: what it did or waited for
// in each instant. Where several things went on at once, a node gives the instant to the
// first of its list that holds, or divides it as the requests under way were divided. No
// part is a sum of waits that overlap, so the parts of a level never exceed the whole;
// Tree.Check holds every run to that.
//
//	t := cause.New("Mem", cause.Memory)
//	t.Add("transfer", "moving data", 300)
//	t.Add("row_activation", "waiting for rows to open (tRCD)", 100)
//	run := cause.Join(500, []*cause.Tree{t}) // 100 ns are idle
//	run.Sentence()                           // Mem spends 75.0 % of its busy time moving data ...
package cause
