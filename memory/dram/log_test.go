package dram_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/dram/buslog"
	"github.com/causeway-sim/causeway/memory/dram/standard"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// logOf is the command trace of a memory after some requests.
func logOf(t testing.TB, s dram.Spec) string {
	t.Helper()
	s.CommandTrace = true
	var list []memtest.Request
	for i, q := range pattern("rand_2r1w")[:300] {
		list = append(list, memtest.Request{Cycle: uint64(i * 40), Bytes: 300, Addr: q.addr, Write: q.write})
	}
	m, _ := memory(t, s, 0, list...)
	var b bytes.Buffer
	a := m.Attachments()
	require.Len(t, a, 1)
	require.Equal(t, "Mem.commands", a[0].Name)
	n, err := a[0].Content.WriteTo(&b)
	require.NoError(t, err)
	require.Equal(t, int64(b.Len()), n)
	return b.String()
}

// The commands of every grade, under every row policy, with and without several
// channels and ranks, are legal; the checker counts what the node counts.
func TestLogIsLegal(t *testing.T) {
	for i, grade := range standard.Grades() {
		s := dram.DefaultSpec()
		s.Grade, s.RowPolicy = standard.Name(grade), []string{"open", "closed", "closed_ap", "capped"}[i%4]
		s.Channels = 1 + i%2
		s.Ranks = 1 + (i+1)%2
		text := logOf(t, s)
		seen, err := buslog.CheckLog("x", strings.NewReader(text))
		require.NoError(t, err, grade)
		require.Equal(t, grade, seen.Grade)
		require.Equal(t, s.Ranks, seen.Ranks)
		require.GreaterOrEqual(t, seen.Commands, uint64(600), grade)
	}
}

// What is wrong with a file is said with its line.
func TestBadLogs(t *testing.T) {
	s := dram.DefaultSpec()
	s.Timing = map[string]int{"RFC": 576}
	good := logOf(t, s)
	require.Contains(t, good, "grade ddr4_3200\nranks 1\ntiming RFC 576\nchannel 0\n")
	const head = "grade ddr4_3200\nchannel 0\n"
	for text, want := range map[string]string{
		good[:len(good)/2]: "x:",
		strings.TrimSuffix(good, good[strings.LastIndex(good, "end"):]): "the file is cut short: it has no line end",
		"":                                    "x:1: the file is cut short",
		"0 ACT 0 0 0 1 0":                     "x:1: a command before the first channel",
		"channel 0":                           "x:1: no grade was named",
		"grade ddr9\n":                        `x:1: no grade "ddr9" (want one of: ddr3_1600,`,
		"grade ddr4_3200\nranks 3\nchannel 0": "x:3: ranks is 3 (want a power of two)",
		"grade ddr4_3200\ntiming XY 3\nchannel 0": `x:3: ddr4_3200 has no timing "XY"`,
		head + "grade ddr4_3200":                  "x:3: grade after the first channel",
		head + "channel 7":                        "x:3: channel 7, want 1",
		head + "end 1":                            "x:3: there were 0 commands, 1 are announced",
		head + "end 0\n#\n\nend 0":                "x:6: a line after the end",
		head + "end -1":                           `x:3: "-1" is no number`,
		head + "0 ACT 0 0 0 1 0\n21 RD 0 0 0 1 0": "x:4: illegal command: 21 RD 0 0 0 1 0: 21 clocks after one of [ACT], at level bank (want 22: RCD)",
	} {
		_, err := buslog.CheckLog("x", strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
	}
	_, err := buslog.CheckLog("x", strings.NewReader(head+"0 RD 0 0 0 1 0"))
	require.ErrorIs(t, err, buslog.ErrIllegal)
}
