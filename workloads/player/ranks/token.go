package ranks

// A token is an operation of a rank: of the program, or of a collective.
type token struct{ rank, op, inst int32 }

// program as the inst of a token is the program itself.
const program = -1
