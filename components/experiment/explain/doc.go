// Package explain finds out what would help a run: it runs the configuration again with one
// setting changed at a time, each doubled or halved, and says how much better each run is.
//
// What may be changed the kinds of nodes say (system.Kind.Levers); nodes of equal kind and
// equal keys are changed together. What is better the run itself says
// (experiment.Experiment.Goal): its time, or a headline metric of the kind that sets the
// work, where the time is given. Changes that help little alone are tried together, since limits in
// series, such as an interface and a link of the same bandwidth, hide each other. A change that the configuration refuses is left out, with
// the reason.
//
// Left out are settings of the workload that change what is computed, and software: policies,
// algorithms, mappings.
package explain
