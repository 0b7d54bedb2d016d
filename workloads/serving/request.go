package serving

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/units"
)

// A Request is a request for Output tokens after a prompt.
type Request struct {
	Name    string
	Arrival units.Time // from the start of the run
	Prompt  int        // tokens
	Output  int        // tokens, the first included
	Cached  int        // tokens at the beginning of the prompt whose entries exist already
	Shared  int        // tokens at the beginning shared with requests of the same Prefix, or with Before
	Prefix  string     // name of the shared prefix
	Before  int        // number (from 1) of the request whose prompt and answer it begins with; 0: none
	Keep    bool       // its blocks are kept after its last token, until Release
	// Tokens holds the tokens of the prompt and then of the output; nil: unknown. They decide
	// which blocks requests share.
	Tokens []int32
}

// MaxTokens bounds the tokens of a request.
const MaxTokens = 1 << 24

// check refuses what no request can be.
func (r *Request) check() error {
	switch {
	case r.Prompt < 1 || r.Prompt > MaxTokens:
		return fmt.Errorf("a prompt of %d tokens (want 1 to %d)", r.Prompt, MaxTokens)
	case r.Output < 1 || r.Output > MaxTokens:
		return fmt.Errorf("an answer of %d tokens (want 1 to %d)", r.Output, MaxTokens)
	case r.Cached < 0 || r.Cached >= r.Prompt:
		return fmt.Errorf("%d of %d tokens of the prompt are there already (want fewer)", r.Cached, r.Prompt)
	case r.Shared < 0 || r.Shared > r.Prompt:
		return fmt.Errorf("%d of %d tokens of the prompt are shared (want at most all)", r.Shared, r.Prompt)
	case r.Shared > 0 && r.Tokens != nil:
		return fmt.Errorf("tokens are listed, and %d of them are to be those of prefix %q (want one of the two)", r.Shared, r.Prefix)
	case r.Tokens != nil && len(r.Tokens) < r.Prompt:
		return fmt.Errorf("%d tokens are listed of a prompt of %d", len(r.Tokens), r.Prompt)
	}
	return nil
}

// entries is how many keys and values the request needs: those of the last token are
// never read.
func (r *Request) entries() int { return r.Prompt + r.Output - 1 }

// Index is the index of the request in the arguments of New.
func (q *Sequence) Index() int { return q.index }

// Place is the number of the sequence's first block; 0 if it has none.
func (q *Sequence) Place() int {
	if len(q.blocks) == 0 {
		return 0
	}
	return int(q.blocks[0])
}
