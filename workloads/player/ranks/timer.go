package ranks

// A timer is something that happens in a later cycle.
type timer struct {
	what timerKind
	at   token
	msg  *Message
}

type timerKind uint8

const (
	computed  timerKind = iota // a computation ends
	moved                      // a load or store ends
	left                       // a message has passed its sender's interface
	passed                     // a message has passed its receiver's interface
	summed                     // a sum or a copy of a collective is made in a rank's memory
	reduced                    // a sum or a copy of a collective is made by a mover
	arrived                    // a message of a rank to itself
	loaded                     // the bytes of a message have been read
	stored                     // those of a message of the program have been written
	entered                    // a rank has begun a collective
	windowing                  // a message reaches the window of its interface
	entering                   // a piece has passed the interface of its sender, which has a window
	awake                      // a rank that is late begins
)
