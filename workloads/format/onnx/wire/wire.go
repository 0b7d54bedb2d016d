// Package wire decodes serialised protocol-buffer messages of any size by their descriptors.
// Unlike the protobuf library it reports the byte of an error, and skips fields that the caller
// does not need. Left out: groups, extensions, and writing.
//
//	r := wire.Reader{File: name, R: file, Size: size, Keep: func(fd protoreflect.FieldDescriptor, n int64) bool { return n < 1<<20 }}
//	err := r.Decode(message)
package wire

import (
	"fmt"
	"io"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/causeway-sim/causeway/workloads/format"
)

// A Reader decodes a serialised message and skips the fields that Keep rejects, so that a model
// with gigabytes of weights costs only the kilobytes of its description.
type Reader struct {
	File string // for errors
	R    io.ReaderAt
	Size int64
	// Keep reports whether a field's payload of n bytes is decoded.
	Keep func(fd protoreflect.FieldDescriptor, n int64) bool

	window []byte // part of the file, read ahead
	start  int64  // of the window
}

// Decode decodes the whole file as a message. A field file_offset of a message gets the offset of
// that message in the file. The error for a broken field is a *format.Error.
func (w *Reader) Decode(m proto.Message) error {
	kept, err := w.message(nil, m.ProtoReflect().Descriptor(), 0, w.Size, 0)
	if err != nil {
		return err
	}
	return proto.Unmarshal(kept, m)
}

const (
	ahead = 64 << 10
	// maxDepth bounds nested messages: subgraphs of subgraphs are shallow in
	// practice, and each level copies.
	maxDepth = 40
	// maxKept bounds what is kept of a file.
	maxKept = 256 << 20
	// offsetField is the field of a message into which its place in the file is
	// written.
	offsetField = "file_offset"
)

func (w *Reader) fail(at int64, msg string, args ...any) error {
	return &format.Error{File: w.File, Offset: at, Msg: fmt.Sprintf(msg, args...)}
}

// bytes returns n bytes at the offset; the slice is valid until the next call.
func (w *Reader) bytes(at, n int64) ([]byte, error) {
	if at < w.start || at+n > w.start+int64(len(w.window)) {
		size := min(max(n, ahead), w.Size-at)
		if int64(cap(w.window)) < size {
			w.window = make([]byte, size)
		}
		w.window, w.start = w.window[:size], at
		if got, err := w.R.ReadAt(w.window, at); int64(got) < size {
			w.window = w.window[:0]
			return nil, w.fail(at+int64(got), "cannot read: %v", err)
		}
	}
	return w.window[at-w.start:][:n], nil
}

// A field names a field in messages; printing is left for the faults.
type field struct {
	md  protoreflect.MessageDescriptor
	fd  protoreflect.FieldDescriptor
	num protowire.Number
}

func (f field) String() string {
	switch {
	case f.fd != nil:
		return fmt.Sprintf("field %s of %s", f.fd.Name(), f.md.Name())
	case f.num > 0:
		return fmt.Sprintf("field %d of %s", f.num, f.md.Name())
	}
	return fmt.Sprintf("the tag of a field of %s", f.md.Name())
}

// varint reads a number at the offset and returns the offset after it.
func (w *Reader) varint(at, end int64, prefix string, name field) (uint64, int64, error) {
	b, err := w.bytes(at, min(10, end-at))
	if err != nil {
		return 0, 0, err
	}
	v, n := protowire.ConsumeVarint(b)
	if n < 0 {
		if end-at < 10 {
			return 0, 0, w.fail(at, "%s%s is cut off", prefix, name)
		}
		return 0, 0, w.fail(at, "%s%s is not a valid number", prefix, name)
	}
	return v, at + int64(n), nil
}

// message copies the message in [at, end) to out without what keep rejects.
func (w *Reader) message(out []byte, md protoreflect.MessageDescriptor, at, end int64, depth int) ([]byte, error) {
	if depth > maxDepth {
		return nil, w.fail(at, "messages are nested more than %d deep", maxDepth)
	}
	if fd := md.Fields().ByName(offsetField); fd != nil {
		out = protowire.AppendTag(out, fd.Number(), protowire.VarintType)
		out = protowire.AppendVarint(out, uint64(at))
	}
	for at < end {
		tag, body, err := w.varint(at, end, "", field{md: md})
		if err != nil {
			return nil, err
		}
		num, typ := protowire.DecodeTag(tag)
		if num < protowire.MinValidNumber || num > protowire.MaxValidNumber {
			return nil, w.fail(at, "a field of %s has the impossible number %d", md.Name(), num)
		}
		name := field{md, md.Fields().ByNumber(num), num}
		if fd := name.fd; fd != nil {
			if want := TypeOf(fd); typ != want && !(fd.IsList() && want != protowire.BytesType && typ == protowire.BytesType) {
				return nil, w.fail(at, "%s has wire type %d (it must be %d)", name, typ, want)
			}
		}
		body, next, err := w.payload(typ, at, body, end, name)
		if err != nil {
			return nil, err
		}
		if name.fd != nil {
			if out, err = w.copyField(out, name.fd, typ, at, body, next, depth); err != nil {
				return nil, err
			}
		}
		at = next
	}
	return out, nil
}

// payload is where the payload of a field that starts at at begins, after its tag and its length,
// and where it ends.
func (w *Reader) payload(typ protowire.Type, at, body, end int64, name field) (begin, next int64, err error) {
	next = body
	switch typ {
	case protowire.VarintType:
		_, next, err = w.varint(body, end, "", name)
	case protowire.Fixed32Type:
		next = body + 4
	case protowire.Fixed64Type:
		next = body + 8
	case protowire.BytesType:
		var n uint64
		if n, body, err = w.varint(body, end, "the length of ", name); err == nil {
			if n > uint64(end-body) {
				return 0, 0, w.fail(at, "%s says it has %d bytes, but %d are left; is the file cut off?", name, n, end-body)
			}
			next = body + int64(n)
		}
	default:
		err = w.fail(at, "%s has the unknown wire type %d", name, typ)
	}
	if err == nil && next > end {
		err = w.fail(at, "%s is cut off", name)
	}
	return body, next, err
}

// copyField copies one field that starts at at, with its payload in [body, next).
func (w *Reader) copyField(out []byte, fd protoreflect.FieldDescriptor, typ protowire.Type, at, body, next int64, depth int) ([]byte, error) {
	n := next - body
	if typ != protowire.BytesType {
		n = next - at
	}
	if fd.Name() == offsetField || !w.Keep(fd, n) {
		return out, nil
	}
	if len(out) > maxKept || n > maxKept {
		return nil, w.fail(at, "the model describes itself in more than %d bytes", maxKept)
	}
	if typ != protowire.BytesType {
		b, err := w.bytes(at, n)
		return append(out, b...), err
	}
	out = protowire.AppendTag(out, fd.Number(), typ)
	if fd.Kind() == protoreflect.MessageKind {
		inner, err := w.message(nil, fd.Message(), body, next, depth+1)
		return protowire.AppendBytes(out, inner), err
	}
	b, err := w.bytes(body, n)
	if err != nil {
		return nil, err
	}
	if fd.Kind() == protoreflect.StringKind && !utf8.Valid(b) {
		return nil, w.fail(body, "field %s of %s is not UTF-8 text", fd.Name(), fd.Parent().Name())
	}
	if fd.IsList() && fd.Kind() != protoreflect.StringKind && fd.Kind() != protoreflect.BytesKind {
		if bad := badPacked(b, TypeOf(fd)); bad >= 0 {
			return nil, w.fail(body+int64(bad), "the list %s of %s ends inside a number", fd.Name(), fd.Parent().Name())
		}
	}
	return protowire.AppendBytes(out, b), nil
}

// badPacked is the index of the first broken number of a packed list, or -1.
func badPacked(b []byte, typ protowire.Type) int {
	size := map[protowire.Type]int{protowire.Fixed32Type: 4, protowire.Fixed64Type: 8}[typ]
	if size > 0 {
		if len(b)%size != 0 {
			return len(b) - len(b)%size
		}
		return -1
	}
	for i := 0; i < len(b); {
		_, n := protowire.ConsumeVarint(b[i:])
		if n < 0 {
			return i
		}
		i += n
	}
	return -1
}

// TypeOf returns the wire type of one value of a field.
func TypeOf(fd protoreflect.FieldDescriptor) protowire.Type {
	switch fd.Kind() {
	case protoreflect.FloatKind:
		return protowire.Fixed32Type
	case protoreflect.DoubleKind:
		return protowire.Fixed64Type
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind:
		return protowire.BytesType
	}
	return protowire.VarintType
}
