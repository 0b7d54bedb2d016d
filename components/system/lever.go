package system

// A Lever is a change of a node's hardware that may help a run: twice the bandwidth, half
// the latency. What a kind's nodes may be changed by, the kind says (Kind.Levers).
type Lever struct {
	Text string // what is changed: "bandwidth", "array"
	// Keys are paths within the node that are changed together: "bandwidth",
	// "link.lanes". What stands there is a quantity or a number, or a mapping of them,
	// each of which is changed.
	Keys []string
	Half bool // halved; else doubled
	// From is what the lever starts from in place of the Spec's value: where 0 stands for
	// something else. Nil is the Spec's.
	From any
}

// Twice is a lever that doubles keys.
func Twice(text string, keys ...string) Lever { return Lever{Text: text, Keys: keys} }

// Half is a lever that halves keys.
func Half(text string, keys ...string) Lever { return Lever{Text: text, Keys: keys, Half: true} }

// Starting is the lever with another value to start from.
func (l Lever) Starting(from any) Lever {
	l.From = from
	return l
}
