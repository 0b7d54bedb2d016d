package watch

// MaxRows and MaxTasks bound what is kept of a run.
const (
	MaxRows  = maxRows
	MaxTasks = maxTasks
)

// Pass lets units pass an element of a time series at one instant.
func (o *Observed) Pass(series int, n, at float64) (name string) {
	c := o.arrays[series]
	c.of[0].Pass(n, at)
	return c.name
}
