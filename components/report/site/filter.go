package site

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/url"

	"github.com/causeway-sim/causeway/components/report/panel"
)

//go:embed filter.html
var filterBody string

var filterLayout = template.Must(template.New("filter").Parse(filterBody))

// A filterOn is a condition that a page shows, with the address of the page without it.
type filterOn struct {
	panel.Condition
	Name, Without string
}

// filtered is the sweep of the points that the query keeps, with the form of the filter. Conditions
// are pairs of by, a column, and is, its values. One that is wrong is shown, and keeps all.
func filtered(x *panel.Sweep, query url.Values) (*panel.Sweep, template.HTML, error) {
	data := struct {
		Wrong    []string
		On       []filterOn
		By       []panel.By
		Left, Of int
	}{By: x.Filters(), Of: len(x.Points.Rows)}
	by, is := query["by"], query["is"]
	left := x
	for i := range min(len(by), len(is)) {
		c := panel.Condition{Column: by[i], Is: is[i]}
		next, err := left.Where([]panel.Condition{c})
		if err != nil {
			data.Wrong = append(data.Wrong, err.Error())
			continue
		}
		left = next
		data.On = append(data.On, filterOn{Condition: c, Name: c.Column})
	}
	for i := range data.On {
		rest := url.Values{}
		for k, c := range data.On {
			if k != i {
				rest.Add("by", c.Column)
				rest.Add("is", c.Is)
			}
		}
		data.On[i].Without = "?" + rest.Encode()
		for _, b := range data.By {
			if b.Column == data.On[i].Column {
				data.On[i].Name = b.Name
			}
		}
	}
	data.Left = len(left.Points.Rows)
	var b bytes.Buffer
	err := filterLayout.Execute(&b, data)
	return left, template.HTML(b.String()), err // of a template that escapes
}
