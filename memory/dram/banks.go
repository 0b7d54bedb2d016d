package dram

import "github.com/causeway-sim/causeway/components/stats"

// What a burst met in its bank, as an index of bank.met.
const (
	metHit = iota
	metMiss
	metConflict
	mets
)

// bankBalance is the load of the busiest bank over the mean.
func (c *Comp) bankBalance() (float64, bool) {
	c.settle()
	most, sum, banks := uint64(0), uint64(0), 0
	for i := range c.accounts {
		for k := range c.accounts[i].met {
			n := uint64(0)
			for _, x := range c.accounts[i].met[k] {
				n += uint64(x)
			}
			most, sum, banks = max(most, n), sum+n, banks+1
		}
	}
	return float64(most) * float64(banks) / float64(max(sum, 1)), sum > 0
}

// RecordDetail implements system.Detailed: it does nothing, since outcomes by bank are always
// counted.
func (c *Comp) RecordDetail() {}

// Detail implements system.Detailed: a row for each bank of each channel.
func (c *Comp) Detail() (string, *stats.Table) {
	t := &stats.Table{Columns: []stats.Column{
		{Name: "channel", Unit: stats.One}, {Name: "bank", Unit: stats.One, Text: "Number in its channel: rank, bank group, bank."},
		{Name: "hits", Unit: stats.One, Text: "Bursts that found their row open."},
		{Name: "misses", Unit: stats.One, Text: "Bursts that found no row open."},
		{Name: "conflicts", Unit: stats.One, Text: "Bursts that found another row open."},
	}}
	c.settle()
	for i := range c.accounts {
		for k := range c.accounts[i].met {
			m := &c.accounts[i].met[k]
			t.Append(i, k, m[metHit], m[metMiss], m[metConflict])
		}
	}
	return "banks", t
}
