// Package address maps the bursts of a memory to its channels, ranks, bank
// groups, banks, rows and columns, and back.
//
// A map is an expression of fields from the highest bits to the lowest:
//
//	Ro-Ba-BG-Ra-Co       rows highest, neighbouring bursts in one row
//	Ro-Ba-Co-BG-Ch       neighbouring bursts in other channels and bank groups
//	Ro-Co:5-Ba-BG-Co:2   four bursts of a row, then the next bank group (MOP)
//	Ro-Ba^Ro-BG^Ro[2]-Co banks permuted by the row, from its bit 2 on for BG
//
// Fields are Ch, Ra, BG, Ba, Ro and Co. A field may be split into pieces. A piece of n bits is
// written Co:n; one piece of a field may leave the number out and has the remaining bits. The
// lowest piece holds the lowest bits. A field ^G[k] is permuted by exclusive or with the bits of
// field G from bit k on (from bit 0 where [k] is left out), several times if wanted; G[+k] permutes
// from bit k of the field on. G must not be permuted itself, so that every map is one to one. Fields that have no bits in a memory (one
// channel, one rank, no bank groups) may be left out.
//
// Some expressions have names. MOP4 is minimalist open page with four bursts per row turn and
// banks permuted by the column; MOP4CLXOR is Ramulator 2.1's variant, which permutes the row as
// well. hashed spreads strides of powers of two over channels, bank groups and banks, as real
// controllers do; hashed-Co:1 also keeps two neighbouring bursts in one row. The DRAM presets use
// hashed maps.
//
// The unit of an address is the burst: the caller divides byte addresses by the burst size. Parse
// returns errors, New panics.
//
// Left out: sizes that are no power of two.
//
// Sources: Jacob, Ng, Wang, Memory Systems, 2008, section 13.3 (notation);
// Kaseridis et al., Minimalist Open-page, MICRO 2011 (MOP); Zhang et al., A
// Permutation-based Page Interleaving Scheme, MICRO 2000 (exclusive or).
package address
