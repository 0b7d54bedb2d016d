// Package scratchpad is a memory on the chip between cores: kind scratchpad. Software says
// what lies in it and where (section mapping.fusion plans that); it has banks and ports,
// and no tags.
//
//	{name: Pad, kind: scratchpad, capacity: 4MiB, banks: 32, ports: 4, width: 64B, latency: 4cycle}
//
// A port serves one request at a time, a word of width bytes per cycle. Consecutive words
// lie in consecutive banks, so that a request goes round the banks one per cycle; a bank
// serves one word per cycle. Two requests under way meet at a bank in every cycle if they
// are as far round, and never if they are not: one that would meet another begins later
// (conflict_cycles). Ports are taken in the order of arrival, the one that is free first.
// The answer is sent latency after the last word, in the order of arrival.
//
// Without a plan the scratchpad is a memory like others, with addresses of the memory
// section. Metrics planned_peak, kept_bytes and spilled_bytes are those of a plan: the most
// bytes that have a tenant at a time, results between groups that stay, and such that
// found no room and go to memory.
//
// Left out: a crossbar between ports and banks that holds words up, bytes of data, reads
// that are narrower than a word.
package scratchpad
