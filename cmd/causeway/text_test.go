package main

import "strings"

// replaceOne replaces the first old and counts how many there were.
func replaceOne(text, old, new string) (string, int) {
	return strings.Replace(text, old, new, 1), strings.Count(text, old)
}

// linesWith counts the lines that hold a text.
func linesWith(text, part string) (n int) {
	for l := range strings.Lines(text) {
		if strings.Contains(l, part) {
			n++
		}
	}
	return n
}
