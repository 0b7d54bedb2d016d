// Package cost says what the chips of a system cost in dollars and in carbon: dies per wafer, yield,
// memory in the package, the package itself, and the electricity of a run. Money is in US dollars,
// carbon in grams of CO2 equivalent, areas are in mm2.
//
// A Spec is the section cost of a configuration. Spec.Bill adds its chips up:
//
//	bill, err := spec.Bill(func(c *Chip) (mm2 float64, err error) { return float64(c.Area), nil })
//	fmt.Println(bill.Price(), bill.Carbon())
//
// A die costs its share of a wafer: wafer price / (dies per wafer x yield). Dies per wafer are those
// that fit by area, less those that the rim cuts. The yield of a die is one of Yields. Carbon of a die
// is area x (electricity per area x intensity of the fab + gases per area + materials per area) /
// yield.
//
// # Left out
//
// Masks, design and tests of a die, dies sold with parts switched off, margins of the vendor of a chip,
// boards, racks, cooling and buildings, transport and disposal. Prices are estimates of one year (2020)
// and are not led on to another.
//
// # Deviations
//
//  1. ACT divides carbon by a yield of 0.875 for each die. Here the yield model gives it, and
//     {name: fixed, yield: 0.875} is theirs.
//  2. ACT gives the share of gases that a fab destroys as 95, 97 or 99 %. Here any share from 95 to
//     99 % lies on the line between the two.
//
// # Sources
//
//   - Hennessy and Patterson, Computer Architecture: A Quantitative Approach, 5th edition, section
//     1.6: dies per wafer, yield by layers.
//   - Murphy, Cost-Size Optima of Monolithic Integrated Circuits, Proc. IEEE 52, 1964. Stapper,
//     Modeling of Integrated Circuit Defect Sensitivities, IBM JRD 27, 1983: negative binomial.
//   - Khan and Mann, AI Chips: What They Are and Why They Matter, CSET, 2020, table 9: prices of wafers.
//   - Gupta et al., ACT: Designing Sustainable Computer Systems with an Architectural Carbon Modeling
//     Tool, ISCA 2022, with the tables of its release (github.com/facebookresearch/ACT, logic/, dram/,
//     carbon_intensity/).
package cost
