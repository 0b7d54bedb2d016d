package standard

// A Current is the currents of one chip from its data sheet, for computing energy.
type Current struct {
	Source string `yaml:"source"`
	// PerBank: IDD3N is drawn with all banks open, and each open bank draws an equal share of
	// IDD3N less IDD2N. Otherwise the first open bank draws all of it.
	PerBank bool `yaml:"per_bank"`
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
