package booksim

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/importer"
)

func init() {
	importer.All.Add(importer.Entry{
		Name:   "booksim",
		Doc:    "BookSim 2.0: a configuration, and the network file of anynet.",
		Source: "github.com/booksim/booksim2, revision 28f4329",
		New:    Format,
	})
}

// Format reads configurations of BookSim.
var Format = importer.Format{Title: "BookSim", Keys: keys, Recognise: recognise, Convert: convert,
	Unknown: "BookSim ends with the error Unknown field", Strict: true}

func convert(in *importer.Input, r *importer.Reader, d *importer.Draft) error {
	f, err := in.Only("BookSim configuration (KEY = VALUE;)", recognise)
	if err != nil {
		return err
	}
	all, err := parse(f.Text)
	if err != nil {
		return fmt.Errorf("%s:%w", f.Path, err)
	}
	for _, s := range all {
		r.Add(fmt.Sprintf("%s:%d", f.Path, s.line), s.key, s.value)
	}
	seed := r.Get("seed", "0")
	if seed.Text == "time" {
		r.Leave(seed, "a run has one seed; it is 0")
		seed.Text = "0"
	}
	d.Section("simulation").From("seed", seed.Int(), seed)
	net := d.Node("Net", "network")
	net.Set("fidelity", "flit", "")
	t := &network{in: in, of: f.Path, Reader: r, draft: d, net: net}
	if err := t.topology(); err != nil {
		return err
	}
	t.routing()
	t.router()
	traffic(r, d.Node("Traffic", "traffic"), net)
	d.Link("Traffic -> Net")
	return nil
}

// router writes all settings of the routers.
func (t *network) router() {
	r, net := t.Reader, t.net
	net.Set("router.model", "booksim", "routers of BookSim: preset booksim")
	vcs := r.Get("num_vcs", "16")
	switch n := positive(vcs); {
	case t.classes == safeClasses:
		r.Leave(vcs, "%d, one for each class of a routing without a cycle; the tool sends in 3", safeClasses)
		net.From("router.vcs", t.classes, vcs)
	case t.classes > 0:
		if n != t.classes {
			r.Leave(vcs, "the tool's routing of this topology sends in %d virtual channels, one for each phase; the others carry nothing", t.classes)
		}
		net.From("router.vcs", t.classes, vcs)
	case n < t.least:
		r.Leave(vcs, "%d, one for each channel of the longest path: the tool's routing may deadlock with fewer", t.least)
		net.From("router.vcs", t.least, vcs)
	case n > 32:
		r.Leave(vcs, "32 at most")
		net.From("router.vcs", 32, vcs)
	default:
		net.From("router.vcs", n, vcs)
	}
	depth := r.Get("vc_buf_size", "8")
	net.From("router.depth", positive(depth), depth)
	for _, x := range [][3]string{{"routing_delay", "routing_delay", "1"}, {"credit_delay", "credit_delay", "0"}} {
		v := r.Get(x[0], x[2])
		net.From("router."+x[1], v.Int(), v)
	}
	speedup := r.Get("internal_speedup", "1.0")
	whole := math.Ceil(speedup.Float())
	if whole < 1 {
		speedup.Fail("is %s (want more than 0)", speedup.Text)
	}
	if whole != speedup.Float() {
		r.Leave(speedup, "%g: the speed-up is in whole steps", whole)
	}
	net.From("router.speedup", int(whole), speedup)
	t.allocators()
}

// positive is a whole number of 1 or more. The keys here have 0 for their default.
func positive(v importer.Value) int {
	n := v.Int()
	if n < 1 && v.Text == strconv.Itoa(n) { // else Int has failed
		v.Fail("is %d (want 1 or more)", n)
	}
	return n
}

// allocators writes the one allocator of our routers: that of the switch.
func (t *network) allocators() {
	r := t.Reader
	vc, sw := r.Get("vc_allocator", "islip"), r.Get("sw_allocator", "islip")
	if vc.Text != sw.Text {
		r.Leave(vc, "one allocator for virtual channels and switch: that of sw_allocator")
	}
	name := sw.Text
	if name != "islip" && name != "separable_input_first" {
		name = "islip"
		r.Leave(sw, "islip: no such allocator here (causeway list allocators)")
	}
	t.net.Set("router.allocator", name, both(sw, vc))
	v := r.Get("alloc_iters", "1")
	if name == "islip" {
		t.net.From("router.iterations", positive(v), v)
	}
	if t.dragonfly {
		t.net.Set("router.inject_vc", "random", "as the tool's dragonflies")
	} else {
		t.net.Set("router.inject_vc", "round_robin", "as the tool")
	}
}

// traffic writes the traffic node.
func traffic(r *importer.Reader, n, net *importer.Block) {
	pattern(r, n)
	size := r.Get("packet_size", "1")
	mean, shares := meanSize(r, &size)
	flits := size.Int()
	if readWrite := r.Get("use_read_write", "0"); readWrite.Text == "1" {
		request, reply := r.Get("read_request_size", "1"), r.Get("read_reply_size", "1")
		r.LeaveKey("packet_size", "the tool does not read it with use_read_write")
		flits, size = request.Int(), request
		mean = float64(flits)
		n.From("reply", reply.Int(), reply)
		net.From("virtual_networks", 2, readWrite)
		for _, k := range keys {
			if k.Why == ranges {
				r.LeaveKey(k.Name, "requests have the first half of the virtual channels, replies the second")
			}
		}
	} else {
		for _, key := range []string{"read_request_size", "read_reply_size", "write_request_size", "write_reply_size", "write_fraction"} {
			r.LeaveKey(key, ranges)
		}
	}
	n.Set("packet", flits, both(size, shares))
	load(r, n, mean)
	process(r, n)
	rules(r, n)
}

// meanSize reads the sizes of packets, of which size keeps one: {2,4} are sizes of two classes of
// traffic, of which the first is read, and {{1,5}} are those of one class, whose shares
// packet_size_rate has. Of those the result is the mean, and size the whole number next to it; rates
// are the shares, if they count.
func meanSize(r *importer.Reader, size *importer.Value) (mean float64, rates importer.Value) {
	if !strings.HasPrefix(size.Text, "{") {
		return float64(size.Int()), rates
	}
	sizes := firstClass(size.Text)
	if len(sizes) == 1 {
		r.Leave(*size, "one class of traffic, the first")
		size.Text = sizes[0]
		return float64(size.Int()), rates
	}
	rates = r.Get("packet_size_rate", "1")
	shares := firstClass(rates.Text)
	sum, weight := 0.0, 0.0
	for i, text := range sizes {
		v, share := *size, *size
		v.Text, share.Text = text, "1"
		if len(shares) > 1 && i < len(shares) {
			share.Text = shares[i]
		}
		sum, weight = sum+v.Float()*share.Float(), weight+share.Float()
	}
	mean = sum / weight
	r.Leave(*size, "packets have one size, the whole number next to the mean of %.4g; the load is that of the mean", mean)
	size.Text = strconv.Itoa(int(math.Round(mean)))
	return mean, rates
}

// firstClass lists what a value in braces says of the first class of traffic.
func firstClass(text string) []string {
	text = strings.ReplaceAll(text, " ", "")
	inner, ok := strings.CutPrefix(text, "{{")
	if !ok {
		first, _, _ := strings.Cut(strings.Trim(text, "{}"), ",")
		return []string{first}
	}
	inner, _, _ = strings.Cut(inner, "}")
	return strings.Split(inner, ",")
}

// both is what two settings came to, for a comment. The second is named only where it is set.
func both(v, other importer.Value) string {
	if other.Place == "" {
		return v.From()
	}
	return v.From() + ", " + other.From()
}

// load writes the load in flits per terminal and cycle, of packets of so many in the mean.
func load(r *importer.Reader, n *importer.Block, flits float64) {
	rate := r.Get("injection_rate", "0.1")
	if strings.HasPrefix(rate.Text, "{") {
		r.Leave(rate, "one class of traffic, the first")
		rate.Text, _, _ = strings.Cut(strings.Trim(rate.Text, "{} "), ",")
	}
	x := rate.Float()
	in := r.Get("injection_rate_uses_flits", "0")
	if in.Int() == 0 {
		x = math.Round(x*flits*1e12) / 1e12
	}
	if x > 1 {
		r.Leave(rate, "1 flit per terminal and cycle: a terminal sends no more")
		x = 1
	}
	n.Set("load", x, both(rate, in)+fmt.Sprintf(", packets of %.4g", flits))
}

func process(r *importer.Reader, n *importer.Block) {
	v := r.Get("injection_process", "bernoulli")
	alpha, beta := r.Get("burst_alpha", "0.5"), r.Get("burst_beta", "0.5")
	name, args, _ := strings.Cut(strings.TrimSuffix(v.Text, ")"), "(")
	switch name {
	case "bernoulli":
		return
	case "on_off":
		if parts := strings.Split(args, ","); args != "" {
			alpha.Text = strings.TrimSpace(parts[0])
			if len(parts) > 1 {
				beta.Text = strings.TrimSpace(parts[1])
			}
			if len(parts) > 2 {
				r.Leave(v, "the third number is not read: the load is kept by sending more while on")
			}
		}
		n.From("process.name", "on_off", v)
		n.From("process.alpha", alpha.Float(), alpha)
		n.From("process.beta", beta.Float(), beta)
	default:
		v.Fail("unknown value %q (want one of: bernoulli, on_off)", v.Text)
	}
}

// rules writes how long is measured.
func rules(r *importer.Reader, n *importer.Block) {
	for _, x := range [][3]string{{"sample_period", "sample", "1000"}, {"warmup_periods", "warmup", "3"}, {"max_samples", "samples", "10"}} {
		v := r.Get(x[0], x[2])
		n.From("rules."+x[1], v.Int(), v)
	}
	change := r.Get("stopping_thres", "0.05")
	n.From("rules.change", change.Float(), change)
	limit, kind := r.Get("latency_thres", "500"), r.Get("sim_type", "latency")
	switch kind.Text {
	case "latency":
		n.Set("rules.limit", limit.Float(), both(limit, kind))
	case "throughput":
		n.From("rules.limit", 0, kind)
	case "batch":
		r.Leave(kind, "latency: %s", batch)
		n.Set("rules.limit", limit.Float(), both(limit, kind))
	default:
		kind.Fail("unknown value %q (want one of: latency, throughput, batch)", kind.Text)
	}
}
