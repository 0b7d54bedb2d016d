package panel

// A Sweep is the folder of a sweep.
type Sweep struct{}
