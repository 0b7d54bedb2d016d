package scenario_test

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/scenario"
	"github.com/causeway-sim/causeway/noc/fabric"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// playRouter plays packets on a row of routers with a terminal each. The system gives routers, vcs, depth (flits
// of a buffer), latency and credit_delay; a line of play is the cycle and one of: send SOURCE DESTINATION FLITS,
// hold TERMINAL, free TERMINAL.
func playRouter(sc *scenario.Scenario) (string, error) {
	has := map[string]int{"routers": 3, "vcs": 1, "depth": 2, "latency": 1, "credit_delay": 0}
	for _, l := range sc.System {
		w := l.Words()
		n, err := l.Number(w[1])
		if err != nil {
			return "", err
		}
		if _, ok := has[w[0]]; !ok {
			return "", l.Errorf("no key %q", w[0])
		}
		has[w[0]] = int(n)
	}
	top, err := topology.NewGrid(topology.GridSpec{Dims: []int{has["routers"]}, Concentration: 1}, false)
	if err != nil {
		return "", err
	}
	dor, err := routing.New("dor", top, nil)
	if err != nil {
		return "", err
	}
	cfg := setting.BookSim(top, dor)
	cfg.VCs, cfg.Depth, cfg.LocalLatency, cfg.CreditDelay = has["vcs"], has["depth"], has["latency"], has["credit_delay"]
	n, err := fabric.New(cfg)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	say := func(format string, args ...any) {
		fmt.Fprintf(&out, "%3d  %s\n", n.Now(), fmt.Sprintf(format, args...))
	}
	n.Delivered = func(d fabric.Delivery) { say("packet %d > %d has arrived, %d flits", d.Src, d.Dst, d.Flits) }
	before := map[[2]int]uint64{}
	for play := sc.Play; len(play) > 0 || !n.Quiet(); {
		for len(play) > 0 {
			at, err := play[0].Number(play[0].Words()[0])
			if err != nil {
				return "", err
			}
			if int64(at) > n.Now() {
				break
			}
			if err := act(n, play[0]); err != nil {
				return "", err
			}
			say("%s", strings.Join(play[0].Words()[1:], " "))
			play = play[1:]
		}
		if n.Now() > 1000 {
			return "", fmt.Errorf("it never ends: %v", n.Stuck())
		}
		for r := range top.Routers() {
			for p := range top.Ports(r) {
				if c := n.Carried(r, p); c > before[[2]int{r, p}] {
					before[[2]int{r, p}] = c
					to := fmt.Sprintf("terminal %d", r)
					if peer, _, ok := top.Peer(r, p); ok {
						to = fmt.Sprintf("router %d", peer)
					}
					say("router %d > %s: flit %d", r, to, c)
				}
			}
		}
		n.Step()
	}
	if err := n.Check(); err != nil {
		return "", err
	}
	return out.String(), nil
}

// act carries out a line of play.
func act(n *fabric.Network, l scenario.Line) error {
	w := l.Words()
	var x []int
	for _, s := range w[2:] {
		v, err := l.Number(s)
		if err != nil {
			return err
		}
		x = append(x, int(v))
	}
	switch {
	case w[1] == "send" && len(x) == 3:
		n.Send(x[0], x[1], x[2], false)
	case w[1] == "hold" && len(x) == 1:
		n.Hold(x[0], true)
	case w[1] == "free" && len(x) == 1:
		n.Hold(x[0], false)
	default:
		return l.Errorf("want: CYCLE send SOURCE DESTINATION FLITS, hold TERMINAL or free TERMINAL")
	}
	return nil
}
