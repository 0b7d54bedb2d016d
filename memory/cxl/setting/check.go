package setting

import (
	"strings"

	"github.com/causeway-sim/causeway/configs"
)

// Check returns errors of a link at their keys; v is the configuration of the link, which need not
// exist.
func (s LinkSpec) Check(v configs.Value) error {
	_, err := s.Config(0, 0)
	if err == nil {
		return nil
	}
	var errs configs.Errors
	for _, line := range strings.Split(err.Error(), "\n") {
		at := v
		for _, key := range keysOf(line) {
			if x := at.Get(key); x.Exists() {
				at = x
			}
		}
		errs.Add(at.Errorf(nil, "%s", line))
	}
	return errs.Err()
}

// keysOf is the way from a link's mapping to the key that an error is about.
func keysOf(text string) []string {
	for _, x := range []struct{ text, keys string }{
		{"credits of M2SReq", "credits.req"}, {"credits of M2SRwD", "credits.rwd"},
		{"credits of S2MNDR", "credits.ndr"}, {"credits of S2MDRS", "credits.drs"},
		{"bit error rate", "ber"}, {"sync_header", "sync_header_bypass"}, {"GT/s", "rate"}, {"lanes", "lanes"},
		{"retry buffer", "retry_buffer"}, {"timeout", "retry_timeout"}, {"unknown flit", "flit"},
	} {
		if strings.Contains(text, x.text) {
			return strings.Split(x.keys, ".")
		}
	}
	return nil
}
