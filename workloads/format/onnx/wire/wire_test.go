package wire

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// read decodes a file of enums with their values.
func read(b []byte, keep func(fd protoreflect.FieldDescriptor, n int64) bool) (*descriptorpb.EnumDescriptorProto, error) {
	m := &descriptorpb.EnumDescriptorProto{}
	r := Reader{File: "a.pb", R: bytes.NewReader(b), Size: int64(len(b)), Keep: keep}
	return m, r.Decode(m)
}

func all(protoreflect.FieldDescriptor, int64) bool { return true }

func sample(t *testing.T, values int) (*descriptorpb.EnumDescriptorProto, []byte) {
	m := &descriptorpb.EnumDescriptorProto{Name: proto.String("state")}
	for i := range values {
		m.Value = append(m.Value, &descriptorpb.EnumValueDescriptorProto{Name: proto.String("value"), Number: proto.Int32(int32(i * i))})
	}
	b, err := proto.Marshal(m)
	require.NoError(t, err)
	return m, b
}

// What the library writes is read back, also where the file is longer than the window that is
// read ahead.
func TestDecodeIsTheLibrary(t *testing.T) {
	for _, n := range []int{0, 1, 3, 300, 20000} {
		want, b := sample(t, n)
		got, err := read(b, all)
		require.NoError(t, err)
		require.True(t, proto.Equal(want, got), "%d values", n)
	}
}

// Keep sees the bytes of each payload, and what it rejects is left out.
func TestKeep(t *testing.T) {
	want, b := sample(t, 4)
	sizes := map[string]int64{}
	got, err := read(b, func(fd protoreflect.FieldDescriptor, n int64) bool {
		sizes[string(fd.Name())] = max(sizes[string(fd.Name())], n)
		return fd.Name() != "number"
	})
	require.NoError(t, err)
	require.Equal(t, int64(5), sizes["name"])
	for _, v := range want.Value {
		v.Number = nil
	}
	require.True(t, proto.Equal(want, got))
}

// A broken message is an error with the byte where it is broken; every cut of a file is one, or
// leaves whole fields alone.
func TestBrokenMessages(t *testing.T) {
	_, b := sample(t, 3)
	for n := range b {
		m, err := read(b[:n], all)
		if err == nil {
			again, err := proto.Marshal(m)
			require.NoError(t, err)
			require.Len(t, again, n, "a cut within a field")
		}
	}
	for want, b := range map[string][]byte{
		"a.pb: byte 0: field name of EnumDescriptorProto says it has 9 bytes, but 1 are left; is the file cut off?": {1<<3 | 2, 9, 'a'},
		"a.pb: byte 2: field name of EnumDescriptorProto is not UTF-8 text":                                         {1<<3 | 2, 1, 0xff},
		"a.pb: byte 0: field name of EnumDescriptorProto has wire type 0 (it must be 2)":                            {1 << 3, 1},
		"a.pb: byte 0: a field of EnumDescriptorProto has the impossible number 0":                                  {0, 1},
		"a.pb: byte 0: field 99 of EnumDescriptorProto has the unknown wire type 7":                                 protowire.AppendVarint(nil, 99<<3|7),
		"a.pb: byte 2: field 99 of EnumDescriptorProto is cut off":                                                  append(protowire.AppendVarint(nil, 99<<3), 0x80),
	} {
		_, err := read(b, all)
		require.EqualError(t, err, want)
	}
}
