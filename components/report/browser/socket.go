package browser

import (
	"bufio"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// A socket is a client of the WebSocket protocol (RFC 6455), as much of it as DevTools
// needs: texts, in one frame when sent, in several when received.
type socket struct {
	net.Conn
	in      *bufio.Reader
	session string
}

// dial connects to host:port/path.
func dial(address string) (*socket, error) {
	host, path, _ := strings.Cut(address, "/")
	conn, err := net.DialTimeout("tcp", host, 10*time.Second)
	if err != nil {
		return nil, err
	}
	key := make([]byte, 16)
	_, _ = rand.Read(key) // never fails
	if _, err := fmt.Fprintf(conn, "GET /%s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n",
		path, host, base64.StdEncoding.EncodeToString(key)); err != nil {
		return nil, err
	}
	s := &socket{Conn: conn, in: bufio.NewReader(conn)}
	r, err := http.ReadResponse(s.in, nil)
	if err != nil {
		return nil, err
	}
	if r.StatusCode != http.StatusSwitchingProtocols {
		return nil, fmt.Errorf("the browser answers %s", r.Status)
	}
	return s, nil
}

// write sends a text. A client masks what it sends (section 5.3); a mask of zeros will do.
func (s *socket) write(text []byte) error {
	b := []byte{0x81}
	switch n := len(text); {
	case n < 126:
		b = append(b, 0x80|byte(n))
	case n < 1<<16:
		b = binary.BigEndian.AppendUint16(append(b, 0x80|126), uint16(n))
	default:
		b = binary.BigEndian.AppendUint64(append(b, 0x80|127), uint64(n))
	}
	_, err := s.Conn.Write(append(append(b, 0, 0, 0, 0), text...))
	return err
}

// read receives a text.
func (s *socket) read(until time.Time) ([]byte, error) {
	if err := s.SetReadDeadline(until); err != nil {
		return nil, err
	}
	var text []byte
	for {
		var head [2]byte
		if _, err := io.ReadFull(s.in, head[:]); err != nil {
			return nil, err
		}
		n := uint64(head[1] & 0x7f)
		switch n {
		case 126:
			var b [2]byte
			if _, err := io.ReadFull(s.in, b[:]); err != nil {
				return nil, err
			}
			n = uint64(binary.BigEndian.Uint16(b[:]))
		case 127:
			var b [8]byte
			if _, err := io.ReadFull(s.in, b[:]); err != nil {
				return nil, err
			}
			n = binary.BigEndian.Uint64(b[:])
		}
		part := make([]byte, n)
		if _, err := io.ReadFull(s.in, part); err != nil {
			return nil, err
		}
		switch op := head[0] & 0x0f; op {
		case 0, 1, 2:
			text = append(text, part...)
			if head[0]&0x80 != 0 {
				return text, nil
			}
		case 8:
			return nil, errors.New("the browser closed the connection")
		}
	}
}
