package parallel

// A KeyError is an error that one key of the parallelism, or of the training, is to blame for.
type KeyError struct {
	Key string // data, expert, microbatches, ...
	Err error
}

func (e *KeyError) Error() string { return e.Err.Error() }

// Unwrap gives the error itself.
func (e *KeyError) Unwrap() error { return e.Err }
