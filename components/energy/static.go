package energy

import "math"

// A leakage is the static power of logic per area, in watts per square millimetre
// (milliwatts per 1000 um2).
type leakage struct{ mac, register float64 }

// leaks lists it by process.
//
//   - 45nm: Shao et al., Aladdin, ISCA 2014, common/power_func.h of its release, 40 nm: a
//     multiplier of 32 bits of 4595 um2 leaks 48.2 uW, a bit of a register of 5.98 um2 74 nW.
//     assumption: adders and floating point leak as much per area (there: 13.3 and 7.3 to 8.6 nW
//     per um2, against 10.5).
//   - 7nm: Clark et al., ASAP7, Microelectronics Journal 53, 2016: cell DFFHQNx1 of its library
//     (typical corner, regular threshold) of 0.2916 um2 leaks 3.106 nW.
//     assumption: arithmetic leaks as much per area.
//   - 15nm: on the line between the two, as energies are.
var leaks = func() map[string]leakage {
	old, now := leakage{mac: 48.17683e-6 / 4595e-6, register: 73.95312e-9 / 5.981433e-6}, leakage{mac: 3.10635e-9 / 0.2916e-6, register: 3.10635e-9 / 0.2916e-6}
	share := math.Log(45.0/15) / math.Log(45.0/7)
	return map[string]leakage{"45nm": old, "7nm": now,
		"15nm": {mac: geometric(old.mac, now.mac, share), register: geometric(old.register, now.register, share)}}
}()

// Static returns the leakage power of arithmetic (mac, in mm2) and registers (register, in mm2),
// in watts. ok is false if none is published.
func Static(process string, mac, register float64) (watts float64, ok bool) {
	l, ok := leaks[process]
	return l.mac*mac + l.register*register, ok
}
