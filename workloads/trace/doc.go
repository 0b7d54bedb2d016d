// Package trace reads and writes traces of memory accesses, in the formats of
// other tools and in an own one. Each format is one entry of All; Open finds the
// one of a file by its content and sees through gzip, xz, zstd and bzip2.
//
//	f, err := trace.Open("run.trace.gz", trace.Options{})
//	defer f.Close()
//	var r trace.Record
//	for err = f.Next(&r); err == nil; err = f.Next(&r) { ... }
//
// Reading is streaming: memory does not grow with the file, and no record is
// allocated. Errors are *Error with line and column, or the byte, of the
// decompressed content. What was read before an error counts.
//
// Content that fits several formats is an error that names them; Options.Format
// decides. Text formats tell themselves apart by their first lines. The binary
// ones without a magic number (champsim, lines, oracle_general) are recognised by
// plausible values, which a short file may have for several.
//
// # Times
//
// Header.Tick says what times count: cycles of a clock that the file does not
// name, instructions of the program, or exact seconds. Formats with counts of
// instructions between accesses have the number of instructions before the
// access as time.
//
// # The own format
//
// Name causeway: text, lines end with a newline, columns stand between blanks.
//
//	#causeway-trace/1
//	#tick 1/1000000000s
//	#tensor name=keys kind=kv_cache base=0x10000 bytes=65536 tile=4096 accesses=16 sharers=4 write_once=false
//	#columns time op addr size tensor reuse core pc
//	0 R 0x10000 64 1 15 0 0x400000
//
// The tick is none, cycle, instruction or NUM/DENs in seconds. A tensor has a
// name and bytes; kind is activation, weight, kv_cache, input or output, tile is
// the bytes that are loaded together, accesses how often each byte is read or
// written in the whole trace by all cores, sharers how many cores do; what is
// left out is not known. Columns may be any of time, op, addr, size, tensor,
// reuse, core, pc, next, in any order, and cycle, instruction, time_ns or time_ps
// in place of #tick and time; addr has to be there, or object (obj_id): the number of a
// stored object, whose size then is the column size (obj_size). op is R or W, tensor counts
// the lines #tensor from 1 and is 0 for none, reuse is how many accesses to each
// byte are still to come, next is the index of the next record with this address,
// from 0, or -1. Addresses are decimal or, after 0x, hexadecimal. A file of
// tensors alone (ReadTensors) needs no columns.
//
// # Left out
//
// Data. The CloudSuite variant of ChampSim. Address vectors of Ramulator name
// positions in a device, which only its address map turns into addresses: they
// become numbers of mixed radix here. The relative traces of DRAMSys (rstl), whose
// delays begin at the answer before. Commands of gem5 that move no data are
// skipped.
//
// # Deviations
//
//  1. The size in oracle_general, and beside a column object, is of a stored object and
//     not of an access; the address is the object's number times Options.Line.
//     Header.Objects says so.
//     Objects that are numbered by a hash of 64 bits keep its lower ones.
//  2. The delta times of TSim4CXL are added up to times here: the time from one
//     request to the next, not from an answer.
//  3. ChampSim does not say in which order the operands of an instruction are
//     accessed; here loads come before stores.
package trace
