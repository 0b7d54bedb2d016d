package configs

import "reflect"

// check compares v with the schema of the type of to.
func (v Value) check(to reflect.Value, beside []string) Errors { return nil }
