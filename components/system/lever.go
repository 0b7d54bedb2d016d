package system

// A Lever is a change of a node's hardware that may improve a run: twice the bandwidth, half the
// latency. Kind.Levers lists those of a kind.
type Lever struct {
	Text string // what is changed: "bandwidth", "array"
	// Keys are paths within the node that are changed together: "bandwidth", "link.lanes". Their
	// values are quantities or numbers, or mappings of them.
	Keys []string
	Half bool // halved; else doubled
	// From replaces the Spec's value as the start, if that value is a 0 with another meaning. Nil:
	// the Spec's value.
	From any
}

// Twice is a lever that doubles keys.
func Twice(text string, keys ...string) Lever { return Lever{Text: text, Keys: keys} }

// Half is a lever that halves keys.
func Half(text string, keys ...string) Lever { return Lever{Text: text, Keys: keys, Half: true} }

// Starting returns the lever with From set.
func (l Lever) Starting(from any) Lever {
	l.From = from
	return l
}
