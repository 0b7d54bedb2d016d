// Package scratchpad models an on-chip memory that cores share: node kind scratchpad. It has
// banks and ports and no tags. Software places data in it; the section mapping.fusion plans that.
//
//	{name: Pad, kind: scratchpad, capacity: 4MiB, banks: 32, ports: 4, width: 64B, latency: 4cycle}
//
// A port serves one request at a time, a word of width bytes per cycle. Consecutive words are in
// consecutive banks, and a bank serves one word per cycle. So a request visits one bank after the
// other, and two requests conflict either in every cycle or never; one that would conflict starts
// later (conflict_cycles). Requests take the first free port in the order of arrival. The answer
// is sent latency after the last word, in the order of arrival.
//
// Without a plan the scratchpad is a memory with addresses of the memory section. A plan has the
// metrics planned_peak (most bytes in use at a time), kept_bytes (results between groups that
// stay) and spilled_bytes (results that do not fit and go to memory).
//
// Left out: delays of a crossbar between ports and banks, data, reads narrower than a word.
package scratchpad
