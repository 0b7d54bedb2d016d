// Package trace reads and writes traces of memory accesses, in the formats of other tools and in
// the format causeway. Each format is an entry of All. Open detects the format by content, and
// decompresses gzip, xz, zstd and bzip2.
//
//	f, err := trace.Open("run.trace.gz", trace.Options{})
//	defer f.Close()
//	var r trace.Record
//	for err = f.Next(&r); err == nil; err = f.Next(&r) { ... }
//
// Reading is streaming: memory does not grow with the file, and records are not allocated. Errors
// are *Error with line and column, or the byte, of the decompressed content. Records before an
// error are valid.
//
// Content that fits several formats is an error that names them; set Options.Format. Text formats
// are detected by their first lines. Binary formats without a magic number (champsim, lines,
// oracle_general) are detected by plausible values, so a short file may fit several.
//
// # Times
//
// Header.Tick is the unit of times: cycles of an unknown clock, instructions of the program, or an
// exact fraction of seconds. Formats with counts of instructions between accesses have as time the
// number of instructions before the access.
//
// # The own format
//
// Format causeway is text with one record per line and columns separated by blanks.
//
//	#causeway-trace/1
//	#tick 1/1000000000s
//	#tensor name=keys kind=kv_cache base=0x10000 bytes=65536 tile=4096 accesses=16 sharers=4 write_once=false
//	#columns time op addr size tensor reuse core pc
//	0 R 0x10000 64 1 15 0 0x400000
//
// The tick is none, cycle, instruction or NUM/DENs in seconds. A tensor must have name and bytes.
// Its kind is activation, weight, kv_cache, input or output; tile is the number of bytes loaded
// together; accesses is the number of reads and writes of each byte in the trace by all cores;
// sharers is the number of these cores. A missing value is unknown.
//
// Columns may be any of time, op, addr, size, tensor, reuse, core, pc, next, in any order, and
// cycle, instruction, time_ns or time_ps in place of #tick and time. addr is required, or object
// (obj_id), the number of a stored object, whose size is the column size (obj_size). op is R or W;
// tensor is the number of a #tensor line from 1, or 0; reuse is the number of later accesses to
// each byte; next is the index of the next record with this address, from 0, or -1. Addresses are
// decimal or, after 0x, hexadecimal. A file with tensors only (ReadTensors) needs no columns.
//
// # Left out
//
// Data, the CloudSuite variant of ChampSim, and relative traces of DRAMSys (rstl), whose delays
// begin at the answer before. Address vectors of Ramulator are positions in a device, which need
// its address map; here they become mixed-radix numbers. Commands of gem5 without data are
// skipped.
//
// # Deviations
//
//  1. The size in oracle_general, and with a column object, is that of a stored object and not of
//     an access (Header.Objects). The address is the object's number times Options.Line. Of a
//     64-bit hash as number only the lower bits are kept.
//  2. Times are the sums of the delta times of TSim4CXL, which here count from request to request,
//     not from an answer.
//  3. ChampSim has no order of the operands of an instruction; here loads come before stores.
package trace
