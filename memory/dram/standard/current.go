package standard

import "errors"

// A Current is the currents of one chip from its data sheet, for computing energy.
type Current struct {
	Source string `yaml:"source"`
	// PerBank: IDD3N is drawn with all banks open, and each open bank draws an equal share of
	// IDD3N less IDD2N. Otherwise the first open bank draws all of it.
	PerBank bool `yaml:"per_bank"`
	// Rho, if it is set, is the share of IDD3N less IDD2N that is drawn with the first open bank, whichever it is;
	// the rest is drawn by each open bank in equal shares. PerBank is a Rho of 0, and without both it is 1.
	Rho *float64 `yaml:"rho"`
	// Rate is that of the data sheet's column, in Mbit/s per pin, if it is not the grade's: the
	// charge of a burst does not depend on the rate.
	Rate   float64 `yaml:"rate"`
	Values struct {
		VDD   float64 `yaml:"VDD"`   // V
		IDD0  float64 `yaml:"IDD0"`  // mA, one activation per tRC
		IDD2N float64 `yaml:"IDD2N"` // mA, all banks closed
		IDD3N float64 `yaml:"IDD3N"` // mA, banks open
		IDD4R float64 `yaml:"IDD4R"` // mA, reading all the time
		IDD4W float64 `yaml:"IDD4W"` // mA, writing all the time
		IDD5B float64 `yaml:"IDD5B"` // mA, refreshing all the time
		// in power-down and self-refresh; 0: not stated
		IDD2P  float64 `yaml:"IDD2P"`  // mA, power-down with all banks closed
		IDD2PS float64 `yaml:"IDD2PS"` // mA, the same with the DLL off
		IDD3P  float64 `yaml:"IDD3P"`  // mA, power-down with banks open
		IDD6   float64 `yaml:"IDD6"`   // mA, self-refresh
	} `yaml:"values"`
}

// EnergyFigures are energies of commands, for memories whose makers publish no currents. There
// are none of background and refresh; Stream has their share.
type EnergyFigures struct {
	Source   string  `yaml:"source"`
	Like     string  `yaml:"like"`     // the kind of memory that they were published of, if it is another
	Stream   float64 `yaml:"stream"`   // pJ per bit of a stream, its share of rows, refresh and pins included; in place of all others
	Activate float64 `yaml:"activate"` // pJ, opening and closing a row
	Read     float64 `yaml:"read"`     // pJ per bit, from the array to the pins
	Write    float64 `yaml:"write"`    // pJ per bit
}

// fault says what is wrong with the energies of a grade, besides the currents c; nil: nothing.
func (f *EnergyFigures) fault(c *Current) error {
	switch {
	case f == nil:
		return nil
	case c != nil:
		return errors.New("energies and currents (want one of them)")
	case min(f.Stream, f.Activate, f.Read, f.Write) < 0:
		return errors.New("an energy below 0")
	case f.Stream > 0 && max(f.Activate, f.Read, f.Write) > 0:
		return errors.New("stream, which has a share of all commands, and energies of commands (want one of them)")
	case max(f.Stream, f.Activate, f.Read, f.Write) == 0:
		return errors.New("no energy (want stream, or activate, read and write)")
	}
	return nil
}
