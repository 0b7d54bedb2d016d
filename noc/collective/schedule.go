package collective

import "fmt"

// A Kind says what an operation of a schedule does.
type Kind uint8

// The kinds of operations. All ranges lie in the working buffer of the rank.
const (
	Send    Kind = iota // send the range to Peer
	Recv                // receive from Peer; the message replaces the range
	Reduce              // receive from Peer; the message is added to the range
	Copy                // copy the range that starts at From over the range; local
	Combine             // give the range to the network, which returns the sum of all that have the Tag
)

func (k Kind) String() string { return [...]string{"send", "recv", "reduce", "copy", "combine"}[k] }

// An Op is one operation of one rank. It may start once all operations of After
// are done; nothing else orders the operations of a rank. Where a resource has
// to choose, the smaller index goes first.
//
// A Send is done when its bytes have left the buffer, a Recv when they are in
// it, a Reduce when the sum is, a Combine, which every rank has once for its Tag, when the
// sum of all has come. A Send may leave before the operation that
// receives it has started: the message waits at the receiver.
type Op struct {
	Kind  Kind
	Peer  int32   // the other rank of a Send, Recv, Reduce
	Tag   int32   // a Send and what receives it have equal tags; no two messages of a schedule share one
	Off   int64   // first byte of the range
	Bytes int64   // length of the range, at least 1; 0 in a barrier
	From  int64   // Copy: first byte of what is copied
	Step  int32   // Send: the step of the algorithm that it belongs to, from 0 on; see Schedule.Steps
	After []int32 // indices, smaller than the own one, of operations of the same rank
}

// A Range is a part of the working buffer.
type Range struct{ Off, Bytes int64 }

// End is the first byte after the range.
func (r Range) End() int64 { return r.Off + r.Bytes }

// A Schedule is a collective operation as pure data: what each rank sends,
// receives and adds, and in which order. It knows no network and no time.
//
// The working buffer of each rank is cut into one or more chunks, each of which
// is a collective of its own and, but for the order of operations, independent
// of the others.
type Schedule struct {
	Name      string // of the algorithm
	Operation Operation
	Root      int     // Broadcast, ReduceTo, Gather, Scatter; else 0
	Buffer    int64   // bytes of the working buffer of each rank, scratch included
	Scratch   int64   // bytes that the library takes for it; see Pipeline
	Element   int64   // ranges are cut between elements of this many bytes
	Chunks    []Range // see Blocks for what lies in a chunk
	Ops       [][]Op  // by rank
	// Steps is StepsOrdered or StepsStrict where the sends of a rank keep to the order of
	// their steps besides After, which a player has to see to: it is no dependency of data.
	// What a send waits for comes from sends of its own step or of earlier ones, so every
	// step can end. Else it is StepsFree.
	Steps string
	// Idle lists ranks that have no data of their own. They pass on that of others:
	// their buffer starts with zeros, and what it ends with is not defined.
	Idle []int
}

// Ranks is the number of ranks.
func (s *Schedule) Ranks() int { return len(s.Ops) }

// Messages is the number of messages that a run of the schedule sends, and
// their bytes.
func (s *Schedule) Messages() (messages, bytes int64) {
	for _, ops := range s.Ops {
		for i := range ops {
			if ops[i].Kind == Send || ops[i].Kind == Combine {
				messages++
				bytes += ops[i].Bytes
			}
		}
	}
	return messages, bytes
}

// Blocks cuts chunk c into its n blocks, n the number of ranks. In an all_gather or
// gather block i is the contribution of rank i, in a scatter what it gets, in a reduce_scatter the result of rank
// i. In an all_to_all the first half of a chunk's data is what is sent, block i
// to rank i, and the second half what is received, block i from rank i: half is
// 0 or 1. Operations with whole vectors need no blocks.
func (s *Schedule) Blocks(c, half int) []Range {
	at, part := s.Chunks[c], s.Chunks[c].Bytes
	if s.Operation == AllToAll {
		part /= 2
		at.Off += int64(half) * part
	}
	return split(at.Off, part, s.Element, len(s.Ops))
}

// split cuts n bytes at off into k ranges that differ by one element at most;
// the last element may be short.
func split(off, n, element int64, k int) []Range {
	units := (n + element - 1) / element
	out := make([]Range, k)
	cut := func(i int) int64 { return min(n, units*int64(i)/int64(k)*element) }
	for i := range out {
		lo, hi := cut(i), cut(i+1)
		out[i] = Range{off + lo, hi - lo}
	}
	return out
}

// An Operation is what a collective achieves.
type Operation uint8

// The operations. Bytes is that of the Request.
const (
	AllReduce     Operation = iota // every rank has Bytes; all end with the sum
	ReduceScatter                  // every rank has Bytes; rank i ends with block i of the sum
	AllGather                      // every rank has Bytes; all end with the ranks' blocks in order
	AllToAll                       // every rank has Bytes in blocks; block j of rank i ends as block i of rank j
	Broadcast                      // the root has Bytes; all end with them
	ReduceTo                       // every rank has Bytes; the root ends with the sum
	Gather                         // every rank has Bytes; the root ends with the ranks' blocks in order
	Scatter                        // the root has a block of Bytes for each rank; rank i ends with block i
	Barrier                        // no rank ends before all have begun; no Bytes
	operations
)

var operationNames = [...]string{"all_reduce", "reduce_scatter", "all_gather", "all_to_all", "broadcast", "reduce", "gather", "scatter", "barrier"}

func (o Operation) String() string { return operationNames[o] }

// Operations lists all operations.
func Operations() []Operation {
	out := make([]Operation, operations)
	for i := range out {
		out[i] = Operation(i)
	}
	return out
}

// ParseOperation is the operation of a name: all_reduce.
func ParseOperation(name string) (Operation, error) {
	for i, n := range operationNames {
		if n == name {
			return Operation(i), nil
		}
	}
	return 0, fmt.Errorf("unknown collective %q (want one of: %s)", name, list(operationNames[:]))
}
