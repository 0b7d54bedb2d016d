// Package tensor numbers the tensors that the hints of requests describe, and describes each once
// to the policies of a cache that ask for it.
package tensor
