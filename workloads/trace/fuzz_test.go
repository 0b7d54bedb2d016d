package trace

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// fuzz reads arbitrary bytes as one format: no panic, an end or an *Error with a
// place, which stays. What was read can be written and read back where the
// format can say it.
func fuzz(f *testing.F, format string) {
	for _, s := range samples {
		if s.format == format {
			f.Add(s.text)
			f.Add(s.text[:len(s.text)-2])
			f.Add(append(bytes.Clone(s.text), s.text...))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s := &Source{Name: "f", r: newReader(b)}
		file, err := Read(s, Options{Format: format})
		if err != nil {
			require.ErrorAs(t, err, new(*Error))
			return
		}
		recs, err := read(file)
		if err != nil {
			var e *Error
			require.ErrorAs(t, err, &e)
			require.True(t, e.Line > 0 || e.Offset >= 0 && e.Offset <= int64(len(b)), "%+v", e)
			again := file.Next(&Record{})
			require.Equal(t, err, again)
		}
		h := *file.Header()
		var out bytes.Buffer
		w, err := mustFormat(format).Create(&out, h)
		if err != nil {
			return
		}
		for i := range recs {
			if w.Write(&recs[i]) != nil {
				return // what the format can hold is narrower than what it accepts
			}
		}
		require.NoError(t, w.Close())
		back, err := Read(&Source{Name: "g", r: newReader(out.Bytes())}, Options{Format: format, Line: h.Line})
		require.NoError(t, err)
		again, err := read(back)
		require.NoError(t, err)
		require.Len(t, again, len(recs))
		for i := range recs {
			require.Equal(t, recs[i].Addr, again[i].Addr)
			require.Equal(t, recs[i].Write, again[i].Write)
		}
	})
}

func FuzzHarness(f *testing.F)            { fuzz(f, "harness") }
func FuzzDRAMsim3(f *testing.F)           { fuzz(f, "dramsim3") }
func FuzzRamulatorInst(f *testing.F)      { fuzz(f, "ramulator_inst") }
func FuzzRamulatorLoadStore(f *testing.F) { fuzz(f, "ramulator_loadstore") }
func FuzzRamulatorReadWrite(f *testing.F) { fuzz(f, "ramulator_readwrite") }
func FuzzRamulator1(f *testing.F)         { fuzz(f, "ramulator1") }
func FuzzDRAMSys(f *testing.F)            { fuzz(f, "dramsys") }
func FuzzUSIMM(f *testing.F)              { fuzz(f, "usimm") }
func FuzzTSim4CXL(f *testing.F)           { fuzz(f, "tsim4cxl") }
func FuzzCSV(f *testing.F)                { fuzz(f, "csv") }
func FuzzCauseway(f *testing.F)           { fuzz(f, "causeway") }
func FuzzChampSim(f *testing.F)           { fuzz(f, "champsim") }
func FuzzOracleGeneral(f *testing.F)      { fuzz(f, "oracle_general") }
func FuzzLines(f *testing.F)              { fuzz(f, "lines") }
func FuzzGem5(f *testing.F)               { fuzz(f, "gem5") }

// FuzzOpen looks for the format itself, and through the compression.
func FuzzOpen(f *testing.F) {
	for _, s := range samples {
		f.Add(s.text)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Bytes("f", b)
		if err != nil {
			require.ErrorAs(t, err, new(*Error))
			return
		}
		defer s.Close()
		file, err := Read(s, Options{})
		if err != nil {
			require.ErrorAs(t, err, new(*Error))
			return
		}
		var r Record
		for range 100000 { // a small file may unpack to a large one
			if err = file.Next(&r); err != nil {
				break
			}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			require.ErrorAs(t, err, new(*Error))
		}
	})
}
