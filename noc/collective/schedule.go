package collective

import "fmt"

// A Kind is the kind of an Op.
type Kind uint8

// The kinds of operations. All ranges lie in the working buffer of the rank.
const (
	Send    Kind = iota // send the range to Peer
	Recv                // receive from Peer; the message replaces the range
	Reduce              // receive from Peer; the message is added to the range
	Copy                // copy the range that starts at From over the range; local
	Combine             // send the range to the network, which returns the sum over all ranges with the Tag
)

func (k Kind) String() string { return [...]string{"send", "recv", "reduce", "copy", "combine"}[k] }

// An Op is one operation of one rank. It may start when all operations of After are done; nothing
// else orders the operations of a rank. On a shared resource the smaller index has priority.
//
// A Send is done when its bytes have left the buffer, a Recv when they are in it, a Reduce when
// the sum is in it, a Combine, which every rank has once per Tag, when the sum has arrived. A
// Send may start before its Recv or Reduce has: the message waits at the receiver.
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

// A Schedule is a collective operation as data: the operations of each rank and their order.
//
// The working buffer of each rank is cut into chunks. Each chunk is a collective of its own,
// independent of the others except for the order of operations.
type Schedule struct {
	Name      string // of the algorithm
	Operation Operation
	Root      int     // Broadcast, ReduceTo, Gather, Scatter; else 0
	Buffer    int64   // bytes of the working buffer of each rank, scratch included
	Scratch   int64   // bytes of the library; see Pipeline
	Element   int64   // bytes of an element; ranges are whole elements
	Chunks    []Range // see Blocks for what lies in a chunk
	Ops       [][]Op  // by rank
	// Steps is StepsFree, or StepsOrdered or StepsStrict if the sends of a rank also follow the
	// order of their steps. A player must enforce that. Dependencies of a send are on sends of
	// its own or earlier steps, so every step can end.
	Steps string
	// Idle lists ranks without own data, which forward data of others. Their buffers start with
	// zeros, and their final contents are undefined.
	Idle []int
}

// Ranks is the number of ranks.
func (s *Schedule) Ranks() int { return len(s.Ops) }

// Messages returns the number of messages of the schedule, and their bytes.
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

// Blocks returns the n blocks of chunk c, n the number of ranks. Block i is the contribution of
// rank i in an all_gather or gather, its result in a scatter or reduce_scatter. In an all_to_all
// half 0 of a chunk is sent, block i to rank i, and half 1 is received, block i from rank i.
// Operations with whole vectors have no blocks.
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

// An Operation is the result of a collective.
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

// ParseOperation returns the operation called name, such as all_reduce. The error lists the
// names.
func ParseOperation(name string) (Operation, error) {
	for i, n := range operationNames {
		if n == name {
			return Operation(i), nil
		}
	}
	return 0, fmt.Errorf("unknown collective %q (want one of: %s)", name, list(operationNames[:]))
}
