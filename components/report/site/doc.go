// Package site serves a folder of runs and sweeps to a browser on the same machine: a list
// with search, what runs just now, reports, two runs held against each other, and
// configurations as forms whose changes show their effect, are saved as YAML and compared, and from
// which sweeps are started, each in a process of its own.
//
// Requests must have the token, which is the first part of every path. Requests of other
// origins and under other names of the host are refused, and so is every path that leads
// out of the folder, by dots, escapes or links.
package site
