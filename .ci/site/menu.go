package main

import "strings"

// A group of the menu.
type group struct {
	Title string
	Open  bool // the page is one of it
	Links []link
}

type link struct {
	Name, Title string
	Here        bool
}

// groups are the parts of the menu: the pages of each by name, or by the beginning of it.
var groups = []struct {
	title string
	names []string
}{
	{"Start", []string{"index", "start", "first-report", "gallery", "figures", "glossary", "trouble"}},
	{"Use", []string{"use-*", "sweep", "fidelity"}},
	{"From other tools", []string{"from-other-tools", "from-*", "compare", "paper-differs"}},
	{"Models", []string{"models", "model-*"}},
	{"Reference", []string{"commands", "language", "outputs", "extending", "house", "*"}},
}

// menu lists all pages; each is in the first group that names it.
func (s *site) menu(here *page) (out []group) {
	taken := map[string]bool{}
	for _, g := range groups {
		entry := group{Title: g.title}
		for _, pattern := range g.names {
			for _, p := range s.pages {
				stem := strings.TrimSuffix(p.name, ".html")
				prefix, any := strings.CutSuffix(pattern, "*")
				if taken[p.name] || stem != pattern && !(any && strings.HasPrefix(stem, prefix)) {
					continue
				}
				taken[p.name] = true
				entry.Links = append(entry.Links, link{p.name, p.title, p.name == here.name})
				entry.Open = entry.Open || p.name == here.name
			}
		}
		out = append(out, entry)
	}
	return out
}
