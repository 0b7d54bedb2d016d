package trace

import (
	"io"
	"math/bits"
)

// A Summary holds statistics of a trace from one pass over it.
type Summary struct {
	Records, Writes uint64
	Bytes           uint64 // of all accesses; those without a size count 0
	First, Last     uint64 // least and greatest time
	Low, High       uint64 // least and greatest address
	Lines           uint64 // distinct blocks of 64 bytes that accesses begin in
	Cores           uint64 // greatest core number plus 1
}

// footprint is the bytes of a block of Lines; the blocks of 4 KiB share a word.
const footprint = 64

// Summarize reads f to its end. With an error the summary is of the records before it.
func Summarize(f Reader) (Summary, error) {
	var s Summary
	seen := map[uint64]uint64{} // 64 blocks per entry
	var r Record
	for {
		err := f.Next(&r)
		if err != nil {
			for _, w := range seen {
				s.Lines += uint64(bits.OnesCount64(w))
			}
			if err == io.EOF {
				err = nil
			}
			return s, err
		}
		if s.Records == 0 {
			s.First, s.Last, s.Low, s.High = r.Time, r.Time, r.Addr, r.Addr
		}
		s.Records++
		if r.Write {
			s.Writes++
		}
		s.Bytes += uint64(r.Size)
		s.First, s.Last = min(s.First, r.Time), max(s.Last, r.Time)
		s.Low, s.High = min(s.Low, r.Addr), max(s.High, r.Addr)
		s.Cores = max(s.Cores, uint64(r.Core)+1)
		seen[r.Addr/(64*footprint)] |= 1 << (r.Addr / footprint % 64)
	}
}
