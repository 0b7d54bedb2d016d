package parallel

// A KeyError is an error caused by one key of the sections parallel or training.
type KeyError struct {
	Key string // data, expert, microbatches, ...
	Err error
}

func (e *KeyError) Error() string { return e.Err.Error() }

// Unwrap returns the error without the key.
func (e *KeyError) Unwrap() error { return e.Err }
