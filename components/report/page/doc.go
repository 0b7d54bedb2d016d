// Package page writes reports: one HTML file that needs no other file and no network,
// with the figures of components/report/panel, tables that sort and filter, and what a
// paper says about its method.
//
// The file holds one JSON block, a script of this package (page.js) and a chart library
// (folder library), which is embedded in the program. The page only shows: every number
// of it stands in the files of the run.
package page
