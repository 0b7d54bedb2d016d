package plan

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/configs"
)

// MergedErrors reports equal errors of several nodes once: the first, with the number of the
// others.
type MergedErrors struct {
	order []string // without the names of node and workload
	first map[string]error
	at    map[string]configs.Value
	more  map[string]int
}

// Add adds the error of a node for a workload; nil adds nothing.
func (l *MergedErrors) Add(at configs.Value, node, workload string, err error) {
	if err == nil {
		return
	}
	text := strings.ReplaceAll(strings.ReplaceAll(err.Error(), node, ""), workload, "")
	if l.first == nil {
		l.first, l.at, l.more = map[string]error{}, map[string]configs.Value{}, map[string]int{}
	}
	if l.first[text] == nil {
		l.order = append(l.order, text)
		l.first[text], l.at[text] = err, at
		return
	}
	l.more[text]++
}

// Into adds the merged errors to errs.
func (l *MergedErrors) Into(errs *configs.Errors) {
	for _, text := range l.order {
		err := l.at[text].Locate(l.first[text])
		if n := l.more[text]; n > 0 && configs.PosOf(l.first[text]) == (configs.Pos{}) {
			err = l.at[text].Errorf(nil, "%s", fmt.Sprintf("%v, and %d more nodes like it", l.first[text], n))
		}
		errs.Add(err)
	}
}
