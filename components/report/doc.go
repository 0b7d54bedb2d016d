// Package report turns results into what people read: terminal summaries,
// tables, comparisons, figures, a self-contained HTML page.
//
// It only presents. Every number it shows stands in the result's own files, or
// is a ratio of two that do. Means and intervals are components/experiment's.
package report
