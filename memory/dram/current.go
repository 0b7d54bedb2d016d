package dram

// A Current holds the currents of one chip from its data sheet, by which energy
// is reckoned.
type Current struct {
	Source string `yaml:"source"`
	// PerBank: IDD3N is drawn with all banks open, and every open bank has an equal
	// share of what it is above IDD2N. Otherwise the first open bank draws all of it.
	PerBank bool `yaml:"per_bank"`
	// Rate is that of the column of the data sheet, in Mbit/s per pin, where it is
	// not the grade's: a burst takes the same charge at any rate.
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

// EnergyFigures are energies of commands, for memories whose makers publish no
// currents. Standing by and refresh have none.
type EnergyFigures struct {
	Source   string  `yaml:"source"`
	Activate float64 `yaml:"activate"` // pJ, opening and closing a row
	Read     float64 `yaml:"read"`     // pJ per bit, from the array to the pins
	Write    float64 `yaml:"write"`    // pJ per bit
}
