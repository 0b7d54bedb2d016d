package graph

import (
	"maps"
	"slices"
)

// funcs holds the vector-unit operations per output element of each elementwise
// function. A vector unit does one add, multiply, compare, select or table step
// per lane and operation.
//
// assumption: an exponential, a logarithm, an error function, a sine or a root
// costs 4 operations (range reduction, table look-up, multiply, add), a division
// costs 4 (reciprocal estimate, two Newton steps, multiply). Real units differ;
// the counts keep the functions apart by weight.
var funcs = map[string]int{
	"identity": 0, "add": 1, "sub": 1, "mul": 1, "max": 1, "min": 1, "neg": 1, "abs": 1, "sign": 1,
	"equal": 1, "less": 1, "greater": 1, "and": 1, "or": 1, "not": 1, "where": 1,
	"relu": 1, "floor": 1, "ceil": 1, "round": 1, "cast": 1, "square": 1,
	"leaky_relu": 2, "prelu": 2, "clip": 2, "relu6": 2, // two compares
	"relu2":        2,                  // compare, square
	"hard_sigmoid": 4, "hard_swish": 5, // multiply, add, two compares; swish: and multiply
	"div": 4, "reciprocal": 4, "sqrt": 4, "rsqrt": 4, "exp": 4, "log": 4, "erf": 4, "sin": 4, "cos": 4,
	"pow":       9,  // exp(y * log(x))
	"sigmoid":   10, // negate, exp, add, divide: 1+4+1+4
	"tanh":      12, // 2*sigmoid(2x) - 1
	"silu":      11, // x * sigmoid(x)
	"swish":     11, // the same function
	"elu":       7,  // exp, subtract, multiply, select
	"softplus":  9,  // log(1 + exp(x))
	"softsign":  6,  // abs, add, divide
	"gelu":      8,  // x/2 * (1 + erf(x/sqrt2)): scale, erf, add, multiply, scale
	"gelu_tanh": 18, // cube (2), scale, add, scale, tanh (12), add, multiply and halve in one
	"rope":      3,  // x*cos + rotated(x)*sin: two multiplies and an add; angles are tabulated
	"sin_embed": 5,  // position times frequency, then sine or cosine
}

// OpsPerElement is the number of vector-unit operations per output element of
// an elementwise function; ok is false for an unknown one.
func OpsPerElement(fn string) (n int, ok bool) { n, ok = funcs[fn]; return n, ok }

// FuncNames lists the elementwise functions with a known count, sorted.
func FuncNames() []string { return slices.Sorted(maps.Keys(funcs)) }
