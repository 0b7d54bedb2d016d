package catalogue_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/causeway-sim/causeway/components/experiment/catalogue"
	_ "github.com/causeway-sim/causeway/components/std"
)

// Every key of everything that is built in says what it means.
func TestEveryKeyHasAMeaning(t *testing.T) {
	keys := 0
	for _, s := range catalogue.All() {
		for _, it := range s.Items {
			for _, k := range it.Keys {
				keys++
				assert.NotEmpty(t, k.Doc, "%s %s: %s", it.What, it.Name, k.Path)
			}
		}
	}
	assert.Greater(t, keys, 500)
}
