// Package thermal computes temperatures of a die with a heat spreader and a heat sink: a network of
// resistances and capacities over the plates of a package. Powers are in W, lengths in mm,
// temperatures in degrees Celsius.
//
//	spec := thermal.DefaultSpec()
//	spec.Blocks = []thermal.Block{{Name: "Core", Width: 10, Height: 10}}
//	n, err := thermal.New(spec)
//	t := n.Steady([]float64{80})       // a node of the network each
//	fmt.Println(n.Blocks(t)[0].Peak)
//
// # The network
//
// Die, spreader and sink are squares or rectangles around one centre. Lines through their edges cut them into
// cells; spreader and sink have several sheets on top
// of each other. Cells conduct to their neighbours. Heat enters on top of the die,
// passes its thickness and the interface, and leaves the lower side of the sink through the resistance to the air, which
// is spread evenly. Power of a block is spread evenly over its area. The matrix is symmetric and banded; gonum
// factorizes it once (Cholesky).
//
// Steady solves G T = P. A step solves (C/dt + G) T' = C/dt T + P, which is stable for any dt (backward Euler).
//
// # Leakage
//
// Leakage doubles with every so many kelvin. Close repeats: temperatures of the powers, powers of the temperatures.
// What leaks at one temperature is a share of a block's power, or watts of the die by area, which no work changes.
// From cold, temperatures only rise, to the lowest point at which both agree, or beyond all bounds (Runaway).
//
// # Left out
//
// Heat through the board, radiation, stacked dies, temperature dependence of conductivities, air that warms up
// along the sink, and pipes or fluids.
//
// # Sources
//
//   - Skadron et al., Temperature-Aware Microarchitecture, ISCA 2003; Huang et al., HotSpot, IEEE TVLSI 14(5), 2006:
//     networks of floor plan, spreader and sink, and the defaults of a package (its release, example1).
//   - Lee, Song, Au and Moran, Constriction/Spreading Resistance Model for Electronics Packaging, ASME/JSME
//     Thermal Engineering Conference, 1995: a closed form of the spreading resistance, for tests.
//   - Liao, He and Lepak, Temperature and Supply Voltage Aware Performance and Power Modeling at
//     Microarchitecture Level, IEEE TCAD 24(7), 2005: leakage grows about exponentially.
package thermal
