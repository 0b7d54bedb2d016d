package ramulator

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/importer"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

func init() {
	importer.All.Add(importer.Entry{
		Name:   "ramulator",
		Doc:    "Ramulator 2: the YAML of 2.0, or what 2.1 exports.",
		Source: "github.com/CMU-SAFARI/ramulator2, revisions bbeffe0 and c5b1c3a",
		New:    Format,
	})
}

// Format reads configurations of Ramulator 2.
var Format = importer.Format{Title: "Ramulator 2", Keys: keys, Recognise: recognise, Convert: convert, Unknown: "Ramulator 2 ignores them"}

// recognise wants the two halves of every configuration.
func recognise(f importer.File) bool {
	t := f.Tree()
	return importer.Child(t, "MemorySystem") != nil && importer.Child(t, "Frontend") != nil ||
		importer.Child(t, "memory_system") != nil && importer.Child(t, "frontend") != nil
}

func convert(in *importer.Input, r *importer.Reader, d *importer.Draft) error {
	f, err := in.Only("Ramulator configuration (Frontend and MemorySystem)", recognise)
	if err != nil {
		return err
	}
	tree := f.Tree()
	controllers := 0
	if list := importer.Child(importer.Child(tree, "memory_system"), "controllers"); list != nil {
		controllers = len(list.Content)
		list.Content = list.Content[:min(1, controllers)]
	}
	r.AddTree(f.Path, tree, name)
	frontend(in, f, r, d)
	mem := d.Node("Mem", "memory")
	mem.Set("fidelity", "bank", "")
	g, kind := grade(r, mem)
	if g == nil {
		return nil
	}
	organisation(r, mem, g, kind, max(1, controllers))
	if controllers > 1 {
		r.Leave(importer.External("memory_system.controllers", fmt.Sprint(controllers)), "all are as the first")
	}
	queues(r, mem)
	rules(r, mem, g)
	return nil
}

// organisation writes channels and ranks, and the size where it is not the grade's.
func organisation(r *importer.Reader, mem *importer.Block, g *standard.Grade, kind string, controllers int) {
	o := g.Organisation
	channel, rank := r.Get("dram.org.channel", "1"), r.Get("dram.org.rank", "1")
	channels, ranks := channel.Int()*controllers, rank.Int()
	if r.Has("dram.org.count") {
		v := r.Get("dram.org.count", "")
		var counts []int
		for _, s := range v.List() {
			counts = append(counts, v.Item(s).Int())
		}
		want := []int{o.Groups, o.Banks, o.Rows, o.Columns}
		if o.Groups == 1 {
			want = want[1:]
		}
		if len(counts) != len(want)+2 {
			r.Leave(v, "channels, ranks and banks are those of the grade: %d levels of %s are read", len(want)+2, kind)
		} else {
			channels, ranks = counts[0]*controllers, counts[1]
			channel, rank = v, v
			for i, n := range counts[2:] {
				if n != want[i] {
					r.Leave(v, "%d at level %d, where the grade has %d", n, i+2, want[i])
				}
			}
		}
	}
	mem.From("channels", channels, channel)
	mem.From("ranks", ranks, rank)
	same := func(key string, want int) {
		if r.Has(key) {
			if v := r.Get(key, ""); v.Int() != want {
				r.Leave(v, "%d, of the grade", want)
			}
		}
	}
	same("dram.org.dq", o.Device)
	same("dram.org.channel_width", o.Width)
	same("dram.channel_width", o.Width)
	density(r, mem, o, channels*max(1, ranks))
}

// density writes the size that the chips of a preset such as DDR4_8Gb_x8 come to.
func density(r *importer.Reader, mem *importer.Block, o standard.Organisation, ranks int) {
	if !r.Has("dram.org.preset") {
		return
	}
	v := r.Get("dram.org.preset", "")
	parts := strings.Split(v.Text, "_")
	if len(parts) != 3 {
		r.Leave(v, "chips are those of the grade")
		return
	}
	bits, err := strconv.Atoi(strings.TrimSuffix(parts[1], "Gb"))
	dq, err2 := strconv.Atoi(strings.TrimPrefix(parts[2], "x"))
	if err != nil || err2 != nil || dq < 1 {
		r.Leave(v, "chips are those of the grade")
		return
	}
	if dq != o.Device {
		r.Leave(v, "chips have %d pins, as those of the grade: bank groups and pages may differ", o.Device)
	}
	mem.From("size", fmt.Sprintf("%dGiB", bits*o.Width/dq/8*ranks), v)
}

// queues writes the queues of the controller and when writes go first.
func queues(r *importer.Reader, mem *importer.Block) {
	reads, writes := r.Get("controller.read_buffer_size", "32"), r.Get("controller.write_buffer_size", "32")
	high, low := r.Get("controller.wr_high_watermark", "0.8"), r.Get("controller.wr_low_watermark", "0.2")
	mem.From("read_queue", reads.Int(), reads)
	mem.From("write_queue", writes.Int(), writes)
	room := float64(writes.Int())
	// The tool turns to writes above the one share of the queue, and to reads below the other.
	mem.From("write_high", int(math.Floor(high.Float()*room))+1, high)
	mem.From("write_low", int(math.Ceil(low.Float()*room))-1, low)
}

// rules writes map, scheduler, refresh and row policy.
func rules(r *importer.Reader, mem *importer.Block, g *standard.Grade) {
	group := "BG-"
	if g.Organisation.Groups == 1 {
		group = ""
	}
	v := r.Get("addr_mapper.impl", "RoBaRaCoCh")
	switch v.Text {
	case "RoBaRaCoCh", "RoBaRaCoCh_with_rit":
		if v.Text != "RoBaRaCoCh" {
			r.Leave(v, "RoBaRaCoCh: %s", hammer)
		}
		mem.From("map", "Ro-Ba-"+group+"Ra-Co-Ch", v)
	case "ChRaBaRoCo":
		mem.From("map", "Ch-Ra-"+group+"Ba-Ro-Co", v)
	case "MOP4CLXOR":
		mem.From("map", "MOP4CLXOR", v)
	default:
		r.Leave(v, "hashed, the default: no such map here")
	}
	v = r.Get("scheduler.impl", "FRFCFS")
	switch v.Text {
	case "FRFCFS":
		mem.From("scheduler", "frfcfs", v)
	case "FCFS":
		mem.From("scheduler", "fcfs", v)
	default:
		r.Leave(v, "frfcfs: no such scheduler here")
	}
	v = r.Get("refresh_manager.impl", "NoRefresh")
	switch v.Text {
	case "AllBank":
		mem.From("refresh", "all_bank", v)
	case "NoRefresh":
		mem.From("refresh", "none", v)
	case "PerBank", "HBM34PerBankRefresh":
		mem.From("refresh", "per_bank", v)
	default:
		r.Leave(v, "all_bank: no such refresh here")
	}
	rowPolicy(r, mem)
}

func rowPolicy(r *importer.Reader, mem *importer.Block) {
	v := r.Get("row_policy.impl", "OpenRowPolicy")
	switch v.Text {
	case "Open", "OpenRowPolicy":
		mem.From("row_policy", "open", v)
		r.LeaveKey("row_policy.cap", "an open row is closed on demand")
	case "ClosedRowPolicy", "ClosedCAP":
		limit := "4" // version 2.1
		if v.Text == "ClosedRowPolicy" {
			limit = "10000000"
		}
		c := r.Get("row_policy.cap", limit)
		switch n := c.Int(); {
		case n == 1:
			mem.Set("row_policy", "closed", v.From()+", "+c.From())
		case n > 1<<20:
			r.Leave(v, "open: %s accesses to a row before it is closed", c.Text)
		default:
			mem.From("row_policy", "capped", v)
			mem.From("cap", n, c)
		}
	default:
		r.Leave(v, "open: no such policy here")
	}
}
