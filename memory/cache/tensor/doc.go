// Package tensor gives numbers to the tensors that the hints of requests describe. It describes each new
// tensor once to the replacement policies that ask for descriptions.
package tensor
