package sweep

import (
	"context"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
)

// Values of Sweep.Illegal: what a sweep does with points that Check refuses, such as a buffer too
// small for a fixed mapping.
const (
	StopIllegal   = "stop"   // nothing runs
	RecordIllegal = "record" // they are recorded as failed with their error, and the others run
)

// illegalModes are the values of illegal:.
var illegalModes = []string{StopIllegal, RecordIllegal}

// decodeIllegal reads illegal:.
func decodeIllegal(v configs.Value) (string, error) {
	if !v.Exists() {
		return "", nil
	}
	text, err := v.String()
	if err == nil && !slices.Contains(illegalModes, text) {
		err = v.Errorf(illegalModes, "unknown value %q", text)
	}
	return text, err
}

// SetIllegal overrides the key illegal of the sweep file with StopIllegal or RecordIllegal. The
// value is kept in the folder.
func (s *Sweep) SetIllegal(mode string) error {
	if !slices.Contains(illegalModes, mode) {
		return &configs.Error{Path: "--illegal", Msg: "unknown value " + mode, Want: illegalModes, Nearest: configs.Nearest(mode, illegalModes)}
	}
	s.Illegal, s.origin.Illegal = mode, mode
	return nil
}

// Refused returns the errors of points that Check recorded as failed; nil if there are none.
func (s *Sweep) Refused() error { return s.refused }

// first determines the first points. Errors of points end the sweep, unless they are recorded;
// points that can be resolved return their error again when they run.
func (s *Sweep) first(ctx context.Context, points []int) (identities []string, faulty map[int]error, err error) {
	identities, faults := s.identify(ctx, points, s.built(points))
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	err = s.faults(points, faults)
	bad := 0
	faulty = map[int]error{}
	for i, fault := range faults {
		if fault != nil {
			bad++
		}
		if identities[i] == "" {
			faulty[points[i]] = fault
		}
	}
	if err != nil && s.Illegal == RecordIllegal && bad < len(points) {
		s.refused, err = err, nil
	}
	return identities, faulty, err
}

// failures is the table of the points that could not be simulated, and why; nil without one.
func (s *Sweep) failures(out *Outcome) *stats.Table {
	if len(out.Failures) == 0 {
		return nil
	}
	t := &stats.Table{Columns: []stats.Column{{Name: "point", Text: "Position in the grid, from 0."}, {Name: "status", Text: "failed or stuck."}}}
	for _, path := range s.Grid.Paths() {
		t.Columns = append(t.Columns, stats.Column{Name: grid.SettingColumn(path), Text: "Value set."})
	}
	t.Columns = append(t.Columns, stats.Column{Name: "error", Text: "Why."})
	for _, e := range out.Failures {
		row := []any{int64(e.Index), e.Status}
		for _, set := range s.Grid.Point(e.Index).Set {
			_, v, _ := strings.Cut(set, "=")
			row = append(row, v)
		}
		t.Append(append(row, e.Error)...)
	}
	return t
}
