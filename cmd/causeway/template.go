package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/causeway-sim/causeway/configs"
)

// The folders that init writes; demo runs the first one's config.yaml.
var (
	//go:embed starter
	starter embed.FS
	//go:embed starter_search
	starterSearch embed.FS
	//go:embed starter_study
	starterStudy embed.FS
)

// A template is a folder to begin with: one of the starters, or an example.
type template struct {
	name, doc string
	example   string   // file of configs/examples, which becomes config.yaml
	inputs    []string // files of configs/examples that it reads
	study     string   // a file of configs/studies that it reads, copied into the same folder
	files     fs.FS    // of a starter
	try       string   // first command
}

// templates are those of init, one for each use.
var templates = []template{
	{name: "accelerator", doc: "a systolic core on one memory, and a sweep of its shape", files: within(starter, "starter"), try: "run DIR/config.yaml\ncauseway sweep DIR/sweep.yaml"},
	{name: "cache", doc: "replacement policies on a trace of accesses", example: "cache.yaml", inputs: []string{"traces/attention.csv"}},
	{name: "collective", doc: "an all-reduce over 72 ranks on a dragonfly", example: "allreduce.yaml"},
	{name: "cxl", doc: "four hosts that share a CXL memory pool behind a switch", example: "cxl-pool.yaml"},
	{name: "dram", doc: "bank-accurate DRAM under a trace of requests", example: "dram.yaml", inputs: []string{"traces/mixed.trc"}},
	{name: "llm", doc: "decoding of LLaMA-3 8B on one accelerator", example: "llama3_decode.yaml"},
	{name: "mpi", doc: "a trace of MPI calls (AMG) on a dragonfly", example: "amg.yaml"},
	{name: "multicore", doc: "four cores that share every layer of a transformer", example: "multicore.yaml"},
	{name: "network", doc: "synthetic traffic on a dragonfly, measured as BookSim measures", example: "dragonfly.yaml"},
	{name: "scalesim", doc: "a topology file of SCALE-Sim with its own cycle counts", example: "scalesim.yaml", study: "scalesim/topologies/alexnet.csv"},
	{name: "search", doc: "3,000 designs, of which NSGA-II runs 100", files: within(starterSearch, "starter_search"), try: "sweep DIR/sweep.yaml"},
	{name: "study", doc: "published numbers against simulated ones", files: within(starterStudy, "starter_study"), try: "validate . --studies DIR"},
	{name: "timeloop", doc: "architecture, problem and mapping files of Timeloop", example: "timeloop.yaml", inputs: []string{"timeloop/input.yaml", "timeloop/ERT.yaml"}},
}

func within(f fs.FS, dir string) fs.FS {
	sub, err := fs.Sub(f, dir)
	if err != nil {
		panic("causeway: " + err.Error())
	}
	return sub
}

// named is the template of a name.
func named(name string) (template, error) {
	var names []string
	for _, t := range templates {
		if t.name == name {
			return t, nil
		}
		names = append(names, t.name)
	}
	return template{}, fmt.Errorf("no template %q (want one of: %s)", name, strings.Join(names, ", "))
}

// contents are the files of a template by their names in the new folder.
func (t template) contents() (names []string, text map[string][]byte, err error) {
	text = map[string][]byte{}
	add := func(name string, b []byte, e error) {
		names = append(names, name)
		text[name] = b
		err = errors.Join(err, e)
	}
	if t.files != nil {
		e := fs.WalkDir(t.files, ".", func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				b, e := fs.ReadFile(t.files, p)
				add(p, b, e)
			}
			return err
		})
		return names, text, errors.Join(err, e)
	}
	b, e := configs.Library.ReadFile("examples/" + t.example)
	config := strings.ReplaceAll(string(b), "configs/examples/"+t.example, "config.yaml")
	if t.study != "" {
		config = strings.ReplaceAll(config, "../studies/"+t.study, path.Base(t.study))
		b, e := configs.Library.ReadFile("studies/" + t.study)
		add(path.Base(t.study), b, e)
	}
	add("config.yaml", []byte(config), e)
	for _, name := range t.inputs {
		b, e := configs.Library.ReadFile("examples/" + name)
		add(name, b, e)
	}
	return names, text, err
}

// first are the commands to try, for a folder.
func (t template) first(dir string) string {
	try := t.try
	if try == "" {
		try = "run DIR/config.yaml"
	}
	return "causeway " + strings.ReplaceAll(try, "DIR", dir)
}
