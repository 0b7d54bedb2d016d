package dram

// A Current holds the currents of one chip from its data sheet, by which energy
// is reckoned.
type Current struct {
	Source string `yaml:"source"`
	Values struct {
		VDD   float64 `yaml:"VDD"`   // V
		IDD0  float64 `yaml:"IDD0"`  // mA, one activation per tRC
		IDD2N float64 `yaml:"IDD2N"` // mA, all banks closed
		IDD3N float64 `yaml:"IDD3N"` // mA, a bank open
		IDD4R float64 `yaml:"IDD4R"` // mA, reading all the time
		IDD4W float64 `yaml:"IDD4W"` // mA, writing all the time
		IDD5B float64 `yaml:"IDD5B"` // mA, refreshing all the time
	} `yaml:"values"`
}
