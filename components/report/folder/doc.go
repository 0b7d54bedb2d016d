// Package folder reads back what runs and sweeps have left in folders, as the data of a
// report.
package folder
