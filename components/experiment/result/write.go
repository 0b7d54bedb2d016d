package result

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/causeway-sim/causeway/components/atomicfile"
	"github.com/causeway-sim/causeway/components/build"
	"github.com/causeway-sim/causeway/components/stats"
)

// A File is an additional file of a result's folder. A File without data is not written.
type File struct {
	Name string
	Data []byte

	table *stats.Table // in place of Data
}

// WriteTo implements io.WriterTo.
func (f File) WriteTo(w io.Writer) (int64, error) {
	if f.table != nil {
		return 0, writeCSV(w, f.table)
	}
	n, err := w.Write(f.Data)
	return int64(n), err
}

// WriteDir writes the files of a result into dir, which it makes: result.json, metrics.csv,
// layers.csv, levels.csv, requests.csv, timeseries.csv, config.resolved.yaml, run.json from p, the
// files of single nodes, and more. A file that an earlier run wrote there, by its run.json, and
// that this run does not have is removed. No other file is removed.
func (r *Result) WriteDir(dir string, p Process, more ...File) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	before := WrittenFiles(dir)
	res, err := r.JSON()
	if err != nil {
		return err
	}
	// A folder with a result.json is whole: that of an earlier run goes first, ours comes last.
	if err := os.Remove(filepath.Join(dir, "result.json")); err != nil && !os.IsNotExist(err) {
		return err
	}
	files := []File{
		{Name: "metrics.csv", Data: MetricsCSV(r.Metrics)},
		{Name: "layers.csv", table: r.Layers},
		{Name: "levels.csv", table: r.Levels},
		{Name: "requests.csv", table: r.Requests},
		{Name: "channels.csv", table: r.Channels},
		{Name: "timeseries.csv", table: r.Series},
		{Name: "config.resolved.yaml", Data: r.Config},
	}
	files = slices.DeleteFunc(append(files, more...), func(f File) bool { return f.Data == nil && f.table == nil })
	p.Files = []string{"result.json", "run.json"}
	for _, f := range files {
		p.Files = append(p.Files, f.Name)
	}
	for _, f := range r.Attachments {
		p.Files = append(p.Files, f.Name)
	}
	slices.Sort(p.Files)
	proc, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	for _, name := range before {
		if slices.Contains(p.Files, name) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	for _, f := range r.Attachments {
		if err := atomicfile.WriteFrom(filepath.Join(dir, f.Name), f.Content); err != nil {
			return err
		}
	}
	for _, f := range append(files, File{Name: "run.json", Data: append(proc, '\n')}, File{Name: "result.json", Data: res}) {
		if err := atomicfile.WriteFrom(filepath.Join(dir, f.Name), f); err != nil {
			return err
		}
	}
	return nil
}

// WrittenFiles lists the files that a run has written into a folder, from its run.json; none
// without run.json.
func WrittenFiles(dir string) []string {
	var p Process
	b, err := os.ReadFile(filepath.Join(dir, "run.json"))
	if err != nil || json.Unmarshal(b, &p) != nil {
		return nil
	}
	return slices.DeleteFunc(p.Files, func(name string) bool { return name == "" || name != filepath.Base(name) })
}

// JSON is the content of result.json.
func (r *Result) JSON() ([]byte, error) {
	b, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return nil, fmt.Errorf("result: %w", err)
	}
	return append(b, '\n'), nil
}

// MetricsCSV is the content of metrics.csv.
func MetricsCSV(ms []stats.Metric) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write([]string{"phase", "where", "name", "value", "unit"})
	for _, m := range ms {
		_ = w.Write([]string{m.Phase, m.Where, m.Name, Number(m.Value), string(m.Unit)})
	}
	w.Flush()
	return b.Bytes()
}

// TableCSV prints a table with a header of column names; nil for a nil table.
func TableCSV(t *stats.Table) []byte {
	if t == nil {
		return nil
	}
	var b bytes.Buffer
	_ = writeCSV(&b, t)
	return b.Bytes()
}

// writeCSV writes a table row by row.
func writeCSV(to io.Writer, t *stats.Table) error {
	w := csv.NewWriter(to)
	row := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		row[i] = c.Name
	}
	_ = w.Write(row)
	for _, r := range t.Each() {
		for i, v := range r {
			row[i] = Cell(v)
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// Cell prints one value of a table; nil prints as the empty string.
func Cell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return Number(v)
	case uint64:
		return strconv.FormatUint(v, 10)
	}
	return fmt.Sprint(v)
}

// Number prints a value with the digits needed to parse it back exactly, and whole numbers below
// 2^53 without an exponent.
func Number(v float64) string {
	if v == float64(int64(v)) && v < 1<<53 && v > -(1<<53) {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// A Process describes the execution of a run. The result does not depend on it.
type Process struct {
	Command     []string `json:"command"`
	Host        string   `json:"host"`
	Started     string   `json:"started"` // RFC 3339
	Engine      string   `json:"engine"`
	Workers     int      `json:"workers,omitempty"`
	WallSeconds float64  `json:"wall_s"`
	CPUSeconds  float64  `json:"cpu_s"`
	PeakBytes   uint64   `json:"peak_bytes"`
	Events      uint64   `json:"events,omitempty"`
	// The identity of configuration and inputs, and the build that ran.
	Identity string     `json:"identity"`
	Inputs   []Input    `json:"inputs"`
	Build    build.Info `json:"build"`
	// SampledError is a sentence with the error of a small sampled case; "" if it was not
	// computed.
	SampledError string `json:"sampled_error,omitempty"`
	// Files are the names of all files of the run's folder, sorted.
	Files []string `json:"files"`
}
