package configs

import (
	"errors"
	"strconv"
	"strings"
)

// Reserved keys of a node.
const (
	elementsKey = "elements" // what single elements of a counted node do differently
	overrideKey = "override" // what a node of a group changes inside the group
)

// Element returns element i of the counted node v: the keys of v, overridden by the entries of its
// elements list that select i; later entries win. The result has neither count nor elements.
//
//   - name: Core
//     count: 4
//     elements:
//   - {index: 2, rows: 64}
//   - {index: 0..1, clock: 1GHz}
func (v Value) Element(i, count int) (Value, error) {
	out := v.Without("count").Without(elementsKey)
	var errs Errors
	for _, e := range v.Get(elementsKey).Items() {
		at := e.Get("index")
		hit, err := selected(at.Text(), i, count)
		switch {
		case err != nil:
			errs.Add(at.Locate(err))
		case hit:
			out = out.Merge(e.Without("index"))
		}
	}
	return out, errs.Err()
}

// maxIndices bounds the elements one selection can name.
const maxIndices = 1 << 24

// Indices parses a selection of n elements and keeps its order: 2, 0..3, 0..71:2 (every second),
// 0,2,5..7.
func Indices(s string, n int) ([]int, error) {
	var out []int
	err := eachSpan(s, n, func(lo, hi, step int) error {
		if len(out)+(hi-lo)/step >= maxIndices {
			return errors.New(strconv.Quote(s) + " selects too many elements")
		}
		for i := lo; i <= hi; i += step {
			out = append(out, i)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// selected reports whether the selection s names element i of n.
func selected(s string, i, n int) (hit bool, err error) {
	err = eachSpan(s, n, func(lo, hi, step int) error {
		hit = hit || lo <= i && i <= hi && (i-lo)%step == 0
		return nil
	})
	return hit, err
}

func eachSpan(s string, n int, f func(lo, hi, step int) error) error {
	for part := range strings.SplitSeq(s, ",") {
		lo, hi, step, err := span(strings.TrimSpace(part))
		if err != nil {
			return errors.New(strconv.Quote(s) + " selects no elements: " + err.Error())
		}
		if hi >= n {
			return errors.New(strconv.Itoa(hi) + " is out of range: " + countText(n))
		}
		if err := f(lo, hi, step); err != nil {
			return err
		}
	}
	return nil
}

func countText(n int) string {
	if n == 1 {
		return "there is one element, 0"
	}
	return "there are " + strconv.Itoa(n) + " elements, 0 to " + strconv.Itoa(n-1)
}

// span reads 3, 0..3 or 0..71:2.
func span(s string) (lo, hi, step int, err error) {
	s, every, stepped := strings.Cut(s, ":")
	first, last, ranged := strings.Cut(s, "..")
	if lo, err = index(first); err != nil {
		return
	}
	hi, step = lo, 1
	if ranged {
		if hi, err = index(last); err != nil {
			return
		}
		if hi < lo {
			err = errors.New(s + " runs backwards")
			return
		}
	}
	if stepped {
		if step, err = index(every); err == nil && (step == 0 || !ranged) {
			err = errors.New("a step of " + every + " on " + s)
		}
	}
	return
}

func index(s string) (int, error) {
	i, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		return 0, errors.New(strconv.Quote(s) + " is no index such as 2, 0..3, 0..71:2 or 0,2")
	}
	return int(i), nil
}

// checkNodes checks the elements that the nodes of a list speak of, and the
// nodes of groups that they override.
func checkNodes(in Value, errs *Errors) {
	for _, v := range in.Get("nodes").Items() {
		list := v.Get(elementsKey)
		if !list.Exists() {
			continue
		}
		if list.Kind() != List {
			errs.Add(list.wrongKind(List))
			continue
		}
		checkElements(v, list, errs)
	}
}

func checkElements(v, list Value, errs *Errors) {
	count := v.Get("count")
	n, err := count.Int()
	for _, e := range list.Items() {
		at := e.Get("index")
		switch {
		case e.Kind() != Map:
			errs.Add(e.wrongKind(Map))
		case !at.Exists():
			errs.Add(at.Errorf(nil, "is missing (want 2, 0..3, 0..71:2 or 0,2)"))
		case !count.Exists():
			errs.Add(at.Errorf(nil, "%s has no count, so there are no elements to choose from", v.Get("name").Text()))
		case err == nil && n > 0 && n <= maxIndices:
			if _, err := Indices(at.Text(), int(n)); err != nil {
				errs.Add(at.Locate(err))
			}
		}
	}
}
