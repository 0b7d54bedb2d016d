// Package browser drives a headless Chromium over the DevTools protocol, for tests of
// pages: it opens a page, runs scripts in it, and notes what a reader must not meet: errors
// on the console and requests to a network.
package browser
