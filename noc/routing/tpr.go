package routing

// tpr shifts UGAL's threshold by what the channels of the router carried lately.
type tpr struct{ ugal }

func init() {
	addUGAL("tpr", "UGAL whose threshold follows the traffic: it favours Valiant where the port of the minimal path carried more than its share of what the router sent lately, and minimal elsewhere.",
		"reconstruction after Faizian, Alfaro, Rahman, Mollah, Yuan, Pakin, Lang, IEEE TMSCS 2018",
		UGALSpec{Via: "router", Exclude: ExcludeBoth, Hops: "actual", Queue: "port", Phantom: "keep", Threshold: 32, VCMap: "ladder"},
		func(u ugal) Algorithm { return &tpr{u} })
}

// ViewUse implements ViewUser.
func (a *tpr) ViewUse() (flying, rate bool) { return a.drop, true }

// Next implements Algorithm.
func (a *tpr) Next(v View, p *Packet) Hop {
	if a.fresh(v, p) && p.Phase == toDst && p.Via != none {
		u := a.ugal
		if a.hot(v, p) {
			u.threshold = -u.threshold
		}
		if !u.minimal(v, p) {
			p.Phase = toVia
		}
	}
	return a.next(v, p)
}

// hot reports whether the port of the minimal path carried over twice the mean of
// the router's ports to other routers.
// assumption: twice; uniform traffic stays below it on balanced dragonflies, and
// the one channel of adversarial traffic is above it.
func (a *tpr) hot(v View, p *Packet) bool {
	return candidate(v, func() bool {
		port, _ := a.toward(v.Router(), a.home(p.Dst), p)
		first, n, sum := a.d.P(), a.d.A()-1+a.d.H(), 0
		for i := range n {
			sum += v.Rate(first + i)
		}
		return v.Rate(port)*n > 2*sum
	})
}
