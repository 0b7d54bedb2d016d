package serve

import "github.com/causeway-sim/causeway/workloads/serving"

// makeEngines makes the engines of the replicas, of the groups of chips with requests of their own, or
// of the instances.
func (c *Comp) makeEngines(spec serving.Spec, requests []serving.Request) error {
	if c.spec.Instances.some() {
		return c.split(spec, requests)
	}
	n := c.spec.Replicas
	if g := c.groups(0); g > 1 {
		if n > 1 {
			return c.at.Get("replicas").Errorf(nil, "has no effect with workload.deployment (want deployment.data)")
		}
		n = g
	}
	if err := c.bound(&spec, 0, n); err != nil {
		return err
	}
	for range n {
		e, err := serving.New(spec, requests)
		if err != nil {
			return err
		}
		c.engines = append(c.engines, e)
	}
	c.lanes = []lane{{n: len(c.engines)}}
	return nil
}

// groups is how many groups of chips of an instance attend to requests of their own.
func (c *Comp) groups(instance int) int {
	if c.service.Groups == nil {
		return 1
	}
	return c.service.Groups(instance)
}

// tokens is the budget of a step of so many groups, each of which has the tokens of the key.
func (c *Comp) tokens(groups int) int { return min(c.spec.Tokens*groups, serving.MaxTokens) }

// bound sets the blocks that the memory of an instance's chips has (kv_share) for each of so many
// engines.
func (c *Comp) bound(spec *serving.Spec, instance, engines int) error {
	if c.spec.Share == 0 {
		return nil
	}
	if c.service.Room == nil {
		return c.at.Get("kv_share").Errorf(nil, "has no effect without workload.deployment (want kv_memory, or blocks)")
	}
	n, err := c.service.Room(instance, c.spec.Share)
	if err != nil {
		return err
	}
	need := spec.Need(c.service.Requests)
	if spec.Blocks = []int{need}; n > 0 {
		spec.Blocks[0] = max(min(n/engines/c.spec.Block, need), 1)
	}
	return nil
}

// keys is how many chips share the entries of a request by tokens, and block the bytes that each
// of them keeps of a block.
func (c *Comp) keys() int     { return max(c.service.Keys, 1) }
func (c *Comp) block() uint64 { return c.service.Entry * uint64(c.spec.Block/c.keys()) }

// kept is the greatest number of entries that a chip holds of a number of entries.
func (c *Comp) kept(entries int) int { return (entries + c.keys() - 1) / c.keys() }

// Entries is the number of keys and values that the memory holds, after Serve.
func (c *Comp) Entries() int { return c.entries }
