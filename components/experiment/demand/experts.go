package demand

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Experts is the distribution of tokens over the experts of a mixture: a name, or a mapping with
// its parameters.
type Experts struct {
	Name     string        `yaml:"name" jsonschema:"enum=even,enum=uniform,enum=zipf,enum=trace"`
	Exponent float64       `yaml:"exponent" jsonschema:"minimum=0,maximum=10,description=Of zipf: the expert of rank r is r to the minus this as likely as the first"`
	File     configs.Value `yaml:"file" jsonschema:"description=Of trace: a CSV file with columns layer; expert; tokens"`

	at configs.Value
}

// UnmarshalConfig implements configs.Unmarshaler.
func (e *Experts) UnmarshalConfig(v configs.Value) error {
	*e = Experts{at: v, Exponent: 1}
	if v.Kind() != configs.Map {
		name, err := v.String()
		if err != nil {
			return err
		}
		e.Name = name
	} else {
		type plain Experts
		p := plain(*e)
		if err := v.Decode(&p); err != nil {
			return err
		}
		at := e.at
		*e = Experts(p)
		e.at = at
	}
	switch {
	case !slices.Contains(zoo.Draws(), e.Name):
		return v.Errorf(zoo.Draws(), "unknown draw of experts %q", e.Name)
	case e.Name != "zipf" && v.Get("exponent").Exists():
		return v.Get("exponent").Errorf(nil, "has no effect on %s (used by: zipf)", e.Name)
	case e.Name != "trace" && e.File.Exists():
		return e.File.Errorf(nil, "has no effect on %s (used by: trace)", e.Name)
	case e.Name == "trace" && !e.File.Exists():
		return v.Errorf(nil, "a draw from a trace needs file:")
	}
	return nil
}

// draw is the section as the models take it; random numbers are of simulation.seed.
func (e *Experts) draw(doc *configs.Document) (zoo.Draw, error) {
	d := zoo.Draw{Name: e.Name, Exponent: e.Exponent, Seed: 1}
	if v := doc.Root.Get("simulation").Get("seed"); v.Exists() {
		if n, err := v.Uint(); err == nil { // the section says so itself
			d.Seed = n
		}
	}
	if e.Name == "trace" {
		path, err := doc.ResolveFile(e.File)
		if err != nil {
			return d, err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return d, e.File.Errorf(nil, "%v", err)
		}
		if d.Shares, err = expertShares(text); err != nil {
			return d, e.File.Errorf(nil, "%s: %v", path, err)
		}
	}
	if err := d.Check(); err != nil {
		return d, e.at.Errorf(nil, "%v", err)
	}
	return d, nil
}

// expertShares reads rows of layer, expert, tokens under a heading.
func expertShares(text []byte) (out [][]float64, err error) {
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%v (want the heading layer,expert,tokens and rows of three numbers)", err)
	}
	for i, r := range rows {
		if i == 0 {
			if h := strings.Join(r, ","); h != "layer,expert,tokens" {
				return nil, fmt.Errorf("line 1: %q (want the heading layer,expert,tokens)", h)
			}
			continue
		}
		layer, e1 := strconv.Atoi(r[0])
		expert, e2 := strconv.Atoi(r[1])
		n, e3 := strconv.ParseFloat(r[2], 64)
		if e1 != nil || e2 != nil || e3 != nil || layer < 0 || expert < 0 || layer > 1<<12 || expert > 1<<12 || !(n >= 0) {
			return nil, fmt.Errorf("line %d: %q (want layer, expert and tokens as numbers)", i+1, strings.Join(r, ","))
		}
		for len(out) <= layer {
			out = append(out, nil)
		}
		for len(out[layer]) <= expert {
			out[layer] = append(out[layer], 0)
		}
		out[layer][expert] += n
	}
	return out, nil
}

// mixed reports a draw of experts for a model that has none.
func (w *Workload) mixed() error {
	if w.Spec.Experts.Name == "" {
		return nil
	}
	for i := range w.Graph.Ops {
		if strings.HasSuffix(w.Graph.Ops[i].Name, ".router.softmax") {
			return nil
		}
	}
	return w.At.Get("experts").Errorf(nil, "has no effect on %s (used by: moe_vit_t, mixtures of experts from config.json, MoE and QMoE of ONNX)", w.Name())
}
