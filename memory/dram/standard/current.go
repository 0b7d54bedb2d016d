package standard

// A Current is the currents of one chip from its data sheet, for computing energy.
type Current struct {
	Source string `json:"source"`
	// PerBank: IDD3N is drawn with all banks open, and each open bank draws an equal share of
	// IDD3N less IDD2N. Otherwise the first open bank draws all of it.
	PerBank bool `json:"per_bank"`
	// Rate is that of the data sheet's column, in Mbit/s per pin, if it is not the grade's: the
	// charge of a burst does not depend on the rate.
	Rate   float64 `json:"rate"`
	Values struct {
		VDD   float64 `json:"VDD"`   // V
		IDD0  float64 `json:"IDD0"`  // mA, one activation per tRC
		IDD2N float64 `json:"IDD2N"` // mA, all banks closed
		IDD3N float64 `json:"IDD3N"` // mA, banks open
		IDD4R float64 `json:"IDD4R"` // mA, reading all the time
		IDD4W float64 `json:"IDD4W"` // mA, writing all the time
		IDD5B float64 `json:"IDD5B"` // mA, refreshing all the time
	} `json:"values"`
}

// EnergyFigures are energies of commands, for memories whose makers publish no currents. There
// are none of background and refresh.
type EnergyFigures struct {
	Source   string  `json:"source"`
	Activate float64 `json:"activate"` // pJ, opening and closing a row
	Read     float64 `json:"read"`     // pJ per bit, from the array to the pins
	Write    float64 `json:"write"`    // pJ per bit
}
