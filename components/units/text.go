package units

// The methods by which YAML, JSON and the configuration's decoder read and
// write quantities.

func text(s string) ([]byte, error) { return []byte(s), nil }

func set[T any](to *T, b []byte, parse func(string) (T, error)) error {
	v, err := parse(string(b))
	if err == nil {
		*to = v
	}
	return err
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (b *Bytes) UnmarshalText(s []byte) error { return set(b, s, ParseBytes) }

// MarshalText implements encoding.TextMarshaler.
func (b Bytes) MarshalText() ([]byte, error) { return text(b.String()) }

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *Time) UnmarshalText(s []byte) error { return set(t, s, ParseTime) }

// MarshalText implements encoding.TextMarshaler.
func (t Time) MarshalText() ([]byte, error) { return text(t.String()) }

// UnmarshalText implements encoding.TextUnmarshaler.
func (b *Bandwidth) UnmarshalText(s []byte) error { return set(b, s, ParseBandwidth) }

// MarshalText implements encoding.TextMarshaler.
func (b Bandwidth) MarshalText() ([]byte, error) { return text(b.String()) }

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *Frequency) UnmarshalText(s []byte) error { return set(f, s, ParseFrequency) }

// MarshalText implements encoding.TextMarshaler.
func (f Frequency) MarshalText() ([]byte, error) { return text(f.String()) }

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *Latency) UnmarshalText(s []byte) error { return set(l, s, ParseLatency) }

// MarshalText implements encoding.TextMarshaler.
func (l Latency) MarshalText() ([]byte, error) { return text(l.String()) }

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *FLOPS) UnmarshalText(s []byte) error { return set(f, s, ParseFLOPS) }

// MarshalText implements encoding.TextMarshaler.
func (f FLOPS) MarshalText() ([]byte, error) { return text(f.String()) }

// UnmarshalText implements encoding.TextUnmarshaler.
func (e *Energy) UnmarshalText(s []byte) error { return set(e, s, ParseEnergy) }

// MarshalText implements encoding.TextMarshaler.
func (e Energy) MarshalText() ([]byte, error) { return text(e.String()) }

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *Power) UnmarshalText(s []byte) error { return set(p, s, ParsePower) }

// MarshalText implements encoding.TextMarshaler.
func (p Power) MarshalText() ([]byte, error) { return text(p.String()) }
