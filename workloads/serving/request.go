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
	// Hashes are names of the blocks of HashedBlock tokens of the first Hashed tokens: blocks of one
	// name have the same tokens, and so have all before them.
	Hashes []int64
	Hashed int
}

// HashedBlock is the tokens of a block that a file names.
//
// Source: Mooncake, FAST 2025: its traces have an ID for each 512 tokens.
const HashedBlock = 512

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
	case r.Hashes != nil:
		return r.checkHashes()
	}
	return nil
}

// checkHashes refuses names of blocks that no prompt can have.
func (r *Request) checkHashes() error {
	switch {
	case r.Tokens != nil || r.Shared > 0:
		return fmt.Errorf("hash_ids name the blocks of the prompt, and something else says too what it shares (want one of the two)")
	case r.Hashed < 0 || r.Hashed > r.Prompt || len(r.Hashes) != (r.Hashed+HashedBlock-1)/HashedBlock:
		return fmt.Errorf("%d hash_ids of a prompt of %d tokens (want one for each %d)", len(r.Hashes), r.Hashed, HashedBlock)
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
