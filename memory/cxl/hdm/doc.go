// Package hdm decodes host-managed device memory: it maps a host address to a device and an
// address of the device, and back. It has no time.
//
//	d := hdm.Decoder{Base: 4 << 30, Size: 3 << 30, Ways: 3, Granularity: 1024}
//	way, offset := d.Decode(0x1_2345_6789)
//
// A Decoder spreads its range over 1, 2, 4, 8, 16, 3, 6 or 12 devices in turns of 256 B to 16
// KiB. Ways that are a power of two are bits of the address above the granularity; in 3, 6 and 12
// ways the bits above those modulo three give the way, and divided by three the device's address.
// The way follows from the host address, the offset from the distance to the base.
//
// A Space is the decoders of a host, without overlap and gaps. Each device assigns its memory to
// them from its lowest address on. NewSpace and Decoder.Check return all faults at once.
//
// Source: Compute Express Link 3.1, section 8.2.4.20 (HDM decoder capability; way
// and offset in 8.2.4.20.13). Bases and sizes are multiples of 256 MiB.
//
// Left out: interleave by exclusive or (CXL 3.0 XOR math), skips between the ranges of a device,
// decoders of several levels: a Decoder here is the product of those of host bridges and
// switches.
package hdm
