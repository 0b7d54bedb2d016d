package player

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"sync/atomic"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/synthetic"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// A feed supplies the requests of a trace, reading one ahead of the driver.
type feed struct {
	spec    *Spec
	core    int // that is generated
	file    atomic.Pointer[trace.File]
	tensors []trace.Tensor  // by base, that annotate by address
	index   []uint32        // of each in its file, plus 1
	told    []memory.Tensor // what requests point at: as tensors, or as in the trace

	scale trace.Scale // from exact times to cycles
	exact bool
	last  uint64 // greatest arrival so far, in cycles
	shift uint64 // of this pass

	batch trace.Batcher      // nil: records are read one by one
	lot   trace.AddressBatch // of batch: those read ahead
	one   single             // see reads

	rec    trace.Record
	size   uint64
	kind   graph.Role
	about  *memory.Tensor
	easy   bool   // records are requests as they are, mostly
	ok     bool   // rec is the next request
	taken  uint64 // records of this pass
	pass   uint64
	fault  error         // what ends the feed
	handed uint64        // records handed out
	done   atomic.Uint64 // as many, as far as others know
	ended  atomic.Bool   // there are no more

	sized   bool   // the trace says sizes of requests
	empty   uint64 // records of size 0
	objects bool   // the trace says the sizes of objects, which requests do not have
	unended int    // last line of the trace, if nothing ends it
}

// check opens the trace once, so that a wrong file is found before the run.
func (f *feed) check() error {
	t, err := f.open()
	if err != nil && f.spec.Generate.Layer() != nil {
		return &keyError{"generate", err}
	}
	if err != nil {
		return &keyError{"trace", err}
	}
	defer t.Close()
	if e, ok := f.spec.Generate.Layer().(synthetic.Endless); ok && e.Endless() && f.spec.Limit == 0 && f.spec.Until.IsZero() {
		return &keyError{"generate", fmt.Errorf("%s never ends: it needs a count here, or limit: or until: of the driver", f.spec.Generate.Name)}
	}
	if e, ok := trace.All.Entry(t.Format); ok && !e.New.Vectors && len(f.spec.Levels) > 0 {
		return &keyError{"levels", fmt.Errorf("has no effect on format %s of %s, whose addresses are numbers (used by: %s)", t.Format, t.Name, vectorFormats())}
	}
	if f.spec.Mode.Kind == Timed && t.Header().Fields&trace.Times == 0 {
		return &keyError{"mode", fmt.Errorf("mode timed: %s has no times (format %s)", t.Name, t.Format)}
	}
	if f.spec.Tensors == "" {
		return nil
	}
	return f.readTensors()
}

// readTensors reads where the tensors of the trace lie.
func (f *feed) readTensors() error {
	list, err := trace.ReadTensors(f.spec.Tensors)
	if err != nil {
		return &keyError{"tensors", err}
	}
	order := make([]uint32, len(list))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(a, b uint32) int {
		switch x, y := list[a].Base, list[b].Base; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	for i, k := range order {
		if i > 0 && list[order[i-1]].Base+(list[order[i-1]].Bytes-1) >= list[k].Base {
			return &keyError{"tensors", fmt.Errorf("%s: tensors %s and %s overlap", f.spec.Tensors, list[order[i-1]].Name, list[k].Name)}
		}
		f.tensors = append(f.tensors, list[k])
		f.index = append(f.index, k+1)
	}
	f.told = descriptors(f.tensors, 0)
	return nil
}

// vectorFormats lists the formats that key levels is for.
func vectorFormats() string {
	var out []string
	for _, e := range trace.All.Entries() {
		if e.New.Vectors {
			out = append(out, e.Name)
		}
	}
	return strings.Join(out, ", ")
}

func (f *feed) open() (*trace.File, error) {
	if f.spec.Generate.Layer() != nil {
		return f.spec.Generate.Open(f.core, uint64(f.spec.Bytes))
	}
	return trace.Open(f.spec.Trace, trace.Options{Format: f.spec.Format, Line: uint64(f.spec.Line), Levels: f.spec.Levels})
}

// start opens the trace for playing under the driver's clock.
func (f *feed) start(pace clock.Clock) error {
	t, err := f.open()
	if err != nil {
		return err
	}
	f.file.Store(t)
	if f.tensors == nil {
		f.told = descriptors(t.Header().Tensors, uint64(f.spec.Base))
	}
	f.objects = t.Header().Objects && t.Header().Fields&trace.Sizes != 0
	f.sized = !f.objects && t.Header().Fields&trace.Sizes != 0
	f.setEasy(t)
	if tick := t.Header().Tick; tick.Unit == trace.Seconds {
		f.exact = true
		f.scale, err = trace.NewScale(tick, trace.Tick{Unit: trace.Seconds, Num: pace.Num(), Den: pace.Den()})
		if err != nil && f.spec.Mode.Kind == Timed {
			return err
		}
	}
	f.next()
	return nil
}

// setEasy finds out whether records are requests as they are.
func (f *feed) setEasy(t *trace.File) {
	s := f.spec
	f.easy = f.tensors == nil && s.Wrap == 0 && s.Base == 0 && s.Mode.Kind != Timed && !t.Header().Objects
	f.batch, f.lot = nil, trace.AddressBatch{}
	if f.easy && uint64(s.Bytes) <= t.Header().Line { // so that no request ends beyond 2^64
		f.batch, _ = t.Reader.(trace.Batcher)
	}
}

// next moves on to the next request; ok reports whether there is one, fault why
// not unless it is the end.
func (f *feed) next() {
	f.ok = false
	for f.fault == nil {
		t := f.file.Load()
		if f.spec.Limit > 0 && f.taken == f.spec.Limit {
			f.rewind()
			continue
		}
		if f.batch != nil && f.ahead() {
			f.handOut(1)
			return
		}
		err := t.Next(&f.rec)
		if err == io.EOF {
			f.unended = t.Unended()
			f.rewind()
			continue
		}
		if err == nil && !f.asItIs() {
			err = f.adapt(t)
		}
		if err != nil {
			f.fault = err
			break
		}
		f.handOut(1)
		return
	}
	f.done.Store(f.handed)
	f.close()
}

// handOut counts requests that are supplied.
func (f *feed) handOut(n uint64) {
	f.taken += n
	if f.handed%64+n >= 64 {
		f.done.Store(f.handed + n)
	}
	f.handed += n
	f.ok = true
}

// rewind begins the trace anew, or ends the feed with io.EOF.
func (f *feed) rewind() {
	f.pass++
	if f.pass >= f.spec.Repeat || f.taken == 0 {
		f.fault = io.EOF
		f.ended.Store(true)
		return
	}
	t, err := f.open()
	if err != nil {
		f.fault = err
		return
	}
	f.file.Swap(t).Close()
	if f.batch != nil {
		f.batch = t.Reader.(trace.Batcher)
	}
	f.taken = 0
	f.shift = f.last + 1
}

// stop ends the feed before the request that it has at hand.
func (f *feed) stop() {
	f.ok = false
	f.done.Store(f.handed - 1)
	f.ended.Store(true)
	f.close()
}

func (f *feed) close() {
	if t := f.file.Load(); t != nil {
		_ = t.Close() // it was only read
	}
}

// asItIs makes a request of a record of which nothing has to be looked up or moved.
func (f *feed) asItIs() bool {
	r := &f.rec
	f.size = uint64(r.Size)
	if f.size == 0 {
		f.size = uint64(f.spec.Bytes)
		f.empty++
	}
	if !f.easy || r.Tensor > 0 || r.Core > 1<<16-1 || r.Addr+(f.size-1) < r.Addr {
		return false
	}
	f.kind, f.about = graph.Activation, nil
	return true
}

// adapt makes a request of a record.
func (f *feed) adapt(t *trace.File) error {
	r := &f.rec
	h := t.Header()
	f.size = uint64(r.Size)
	if h.Objects || f.size == 0 {
		f.size = uint64(f.spec.Bytes)
	}
	if r.Core > 1<<16-1 {
		return f.fail("core %d (want below 65536)", r.Core)
	}
	if f.spec.Wrap > 0 {
		r.Addr %= uint64(f.spec.Wrap)
	}
	if r.Addr+uint64(f.spec.Base) < r.Addr || r.Addr+uint64(f.spec.Base)+(f.size-1) < r.Addr {
		return f.fail("the request ends beyond 2^64")
	}
	r.Addr += uint64(f.spec.Base)
	f.kind, f.about = graph.Activation, nil
	switch {
	case f.tensors != nil:
		f.annotate()
	case r.Tensor > 0:
		f.kind, f.about = h.Tensors[r.Tensor-1].Kind, &f.told[r.Tensor-1]
	}
	if f.spec.Mode.Kind != Timed {
		return nil
	}
	at, ok := r.Time, true
	if f.exact {
		at, ok = f.scale.Ceil(at)
	}
	if at+f.shift < at || !ok || at+f.shift > 1<<53 {
		return f.fail("the time %d is beyond 2^53 cycles", r.Time)
	}
	// A trace may step back, as one of several cores does; the source sends in
	// the order of the file.
	f.last = max(f.last, at+f.shift)
	r.Time = f.last
	return nil
}

// fail is a fault of the current record.
func (f *feed) fail(format string, args ...any) error {
	at := f.file.Load().Pos()
	if n := f.lot.Left(); n > 0 {
		at = f.batch.Before(n)
	}
	return &trace.Error{File: f.file.Load().Name, Pos: at, Msg: fmt.Sprintf(format, args...)}
}

// annotate finds the tensor at the request's address.
func (f *feed) annotate() {
	i := sort.Search(len(f.tensors), func(i int) bool { return f.tensors[i].Base > f.rec.Addr }) - 1
	f.rec.Tensor = 0
	if i >= 0 && f.rec.Addr-f.tensors[i].Base < f.tensors[i].Bytes {
		f.rec.Tensor, f.kind, f.about = f.index[i], f.tensors[i].Kind, &f.told[i]
	}
}

// progress is the progress in the trace. Any goroutine may call it.
func (f *feed) progress() (done, total int64) {
	if f.spec.Limit > 0 {
		done, total = int64(f.done.Load()), int64(f.spec.Limit*f.spec.Repeat)
		if f.ended.Load() { // the trace may be shorter than the limit
			total = done
		}
		return done, total
	}
	t := f.file.Load()
	if t == nil || f.spec.Repeat > 1 {
		return 0, 0
	}
	return t.Progress()
}
