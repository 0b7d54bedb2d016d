package system

import "github.com/causeway-sim/causeway/configs"

// decode fills the Spec from the node's own keys.
func decode(v configs.Value, into any) error {
	for _, k := range nodeKeys {
		v = v.Without(k)
	}
	d, ok := any(v).(interface{ Decode(any) error })
	if !ok {
		return v.Errorf(nil, "decoding is not there yet")
	}
	return d.Decode(into)
}
