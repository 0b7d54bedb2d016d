package standard

// A Current holds the currents of one chip from its data sheet, from which energy
// is computed.
type Current struct {
	Source string `json:"source"`
	// PerBank: IDD3N is drawn with all banks open, and every open bank has an equal
	// share of what it is above IDD2N. Otherwise the first open bank draws all of it.
	PerBank bool `json:"per_bank"`
	// Rate is that of the column of the data sheet, in Mbit/s per pin, where it is
	// not the grade's: a burst takes the same charge at any rate.
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

// EnergyFigures are energies of commands, for memories whose makers publish no
// currents. Standing by and refresh have none.
type EnergyFigures struct {
	Source   string  `json:"source"`
	Activate float64 `json:"activate"` // pJ, opening and closing a row
	Read     float64 `json:"read"`     // pJ per bit, from the array to the pins
	Write    float64 `json:"write"`    // pJ per bit
}
