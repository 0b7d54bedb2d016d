package std_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs/schema"
)

// Every key that a kind's levers change is a key of the kind: a slip would end `causeway
// explain` with a panic.
func TestLeversAreKeys(t *testing.T) {
	for _, e := range system.Kinds.Entries() {
		keys := map[string]bool{}
		for _, k := range schema.Keys(e.Spec) {
			keys[k.Path] = true
		}
		seen := map[string]bool{}
		for _, l := range e.New.Levers(e.Spec) {
			require.NotEmpty(t, l.Keys, "%s: %s", e.Name, l.Text)
			name := l.Text
			if l.Half {
				name += " /2"
			}
			require.False(t, seen[name], "%s has two levers called %s", e.Name, name)
			seen[name] = true
			for _, key := range l.Keys {
				require.True(t, keys[key] || keys[key[:max(strings.LastIndexByte(key, '.'), 0)]], "%s: lever %s changes %s, which is no key", e.Name, l.Text, key)
			}
		}
	}
}

// A goal is one of the headlines of its kind, or the time of the run.
func TestGoalsAreHeadlines(t *testing.T) {
	for _, e := range system.Kinds.Entries() {
		goal := e.New.Goal(e.Spec)
		if goal == "" || goal == system.TotalTime {
			continue
		}
		var names []string
		for _, h := range e.New.Headlines {
			names = append(names, h.Metric)
		}
		require.Contains(t, names, goal, e.Name)
	}
}
