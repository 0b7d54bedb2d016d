package standard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// decodeJSONC decodes JSON with comments from // to the end of a line. A key twice, a
// key that the target lacks and text after the value are errors.
func decodeJSONC(text []byte, into any) error {
	text = uncomment(text)
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("text after the value")
	}
	return unique(json.NewDecoder(bytes.NewReader(text)))
}

// uncomment overwrites comments with blanks.
func uncomment(text []byte) []byte {
	out := bytes.Clone(text)
	quoted, comment := false, false
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '\n':
			quoted, comment = false, false
		case comment:
			out[i] = ' '
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case c == '/' && !quoted && i+1 < len(out) && out[i+1] == '/':
			comment, out[i] = true, ' '
		}
	}
	return out
}

// unique reads one value of sound JSON and refuses an object with a key twice.
func unique(d *json.Decoder) error {
	open, err := d.Token()
	if err != nil || open != json.Delim('{') && open != json.Delim('[') {
		return err
	}
	seen := map[string]bool{}
	for d.More() {
		if open == json.Delim('{') {
			key, err := d.Token()
			if err != nil {
				return err
			}
			if seen[key.(string)] {
				return fmt.Errorf("key %q twice", key)
			}
			seen[key.(string)] = true
		}
		if err := unique(d); err != nil {
			return err
		}
	}
	_, err = d.Token() // the bracket
	return err
}
