package panel

// A Study is what validation has found.
type Study struct{}
