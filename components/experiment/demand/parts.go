package demand

import (
	"strconv"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
)

// Parts is a number of parts: off, on, or 2 or more.
type Parts int

// on is the number that the key takes where nothing but on is said.
const on Parts = -1

// Or returns the number of parts, n for on.
func (p Parts) Or(n int) int {
	if p == on {
		return n
	}
	return int(p)
}

// UnmarshalConfig implements configs.Unmarshaler.
func (p *Parts) UnmarshalConfig(v configs.Value) error {
	switch v.Text() {
	case "off", "false":
		*p = 0
		return nil
	case "on", "true":
		*p = on
		return nil
	}
	n, err := strconv.Atoi(v.Text())
	if err != nil || n < 2 || n > 4096 {
		return v.Errorf([]string{"off", "on", "2 to 4096"}, "is no number of parts: %q", v.Text())
	}
	*p = Parts(n)
	return nil
}

func init() {
	schema.Register[Parts](schema.Schema{
		"anyOf": []any{
			schema.Schema{"type": "integer", "minimum": 2, "maximum": 4096}, schema.Schema{"type": "boolean"},
			schema.Schema{"type": "string", "pattern": "^(off|on|false|true|[0-9]+)$"}, // of a parameter
		},
		"title": "a number of parts, on or off", "examples": []any{"on"},
	})
}
