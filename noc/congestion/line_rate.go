package congestion

func init() {
	add("line_rate", "No control: endpoints send at the rate of their channel; queues drop or pause.",
		"IEEE 802.1Qbb with InfiniBand Architecture Annex A17 (RoCEv2): what RoCE does without DCQCN",
		struct{}{}, func(struct{}) (Algorithm, error) { return lineRate{}, nil })
}

// lineRate has no state.
type lineRate struct{}

func (lineRate) Needs() Needs                         { return Needs{} }
func (lineRate) Start(Path) Control                   { return lineRate{} }
func (lineRate) Allow(float64) (window, rate float64) { return unlimited, unlimited }
func (lineRate) Sent(float64, float64)                {}
func (lineRate) Acked(*Ack)                           {}
func (lineRate) Lost(*Loss)                           {}
