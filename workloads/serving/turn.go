package serving

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/configs"
)

// turns are the columns of a file of turns.
var turns = []string{"request", "begins_as", "tokens"}

// readTurns takes in a file that says which prompts begin as an earlier request goes, its
// prompt and then its answer, for so many tokens: the turns of a conversation. It has a row
// for each such prompt. all says that requests holds every request of their file: a name
// that is not among them is wrong then, and else that of a request which does not run.
func readTurns(path string, requests []Request, all bool) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	at := map[string]int{}
	for i := range requests {
		at[requests[i].Name] = i
	}
	in := csv.NewReader(bytes.NewReader(b))
	in.TrimLeadingSpace, in.Comment = true, '#'
	in.FieldsPerRecord = len(turns)
	head := true
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			if head {
				return fault(path, 1, 1, "holds no columns (want %s)", strings.Join(turns, ", "))
			}
			return nil
		}
		if err != nil {
			return configs.CSVError(path, err)
		}
		if head {
			for i, c := range cells {
				if line, col := in.FieldPos(i); strings.TrimSpace(c) != turns[i] {
					return &configs.Error{Pos: configs.Pos{File: path, Line: line, Col: col}, Msg: fmt.Sprintf("column %q (want %s)", c, turns[i]), Want: turns}
				}
			}
			head = false
			continue
		}
		if i, err := turn(cells, at, requests, all); err != nil {
			line, col := in.FieldPos(i)
			return fault(path, line, col, "%v", err)
		}
	}
}

// turn reads a row; an error belongs to cell i.
func turn(cells []string, at map[string]int, requests []Request, all bool) (i int, err error) {
	var of [2]int
	for i := range of {
		n, ok := at[cells[i]]
		if !ok && all {
			return i, fmt.Errorf("there is no request %q", cells[i])
		}
		if !ok {
			return 0, nil
		}
		of[i] = n
	}
	r, before := &requests[of[0]], &requests[of[1]]
	n, err := strconv.Atoi(cells[2])
	switch {
	case of[1] >= of[0]:
		return 1, fmt.Errorf("%s does not come before %s", before.Name, r.Name)
	case r.Before > 0:
		return 0, fmt.Errorf("request %q has two rows", r.Name)
	case r.Tokens != nil || r.Shared > 0:
		return 0, fmt.Errorf("what request %q shares is in the file of requests", r.Name)
	case err != nil || n < 1 || n > min(r.Prompt, before.Prompt+before.Output):
		return 2, fmt.Errorf("%q is no number of tokens that %s and the prompt of %s have (want 1 to %d)", cells[2], before.Name, r.Name, min(r.Prompt, before.Prompt+before.Output))
	}
	r.Before, r.Shared = of[1]+1, n
	return 0, nil
}

// linked returns an error for turns that contradict the requests. A request may share more tokens
// of an earlier one than an engine computes for it, if another engine computes the answer.
func linked(requests []Request) error {
	for i := range requests {
		if b := requests[i].Before - 1; b < -1 || b >= i {
			return fmt.Errorf("serving: request %d begins as request %d, which does not come before it", i, b)
		}
	}
	return nil
}
