package site

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
	"github.com/causeway-sim/causeway/components/report/browser"
	_ "github.com/causeway-sim/causeway/components/std" // the kinds of the configuration
)

const config = `# A small array
schema: causeway/1
params: {width: 64GB/s}
workload: {model: resnet18}
nodes:
  - {name: Core, kind: systolic, fidelity: analytic, rows: 16, cols: 16, dataflow: ws}
  - {name: Mem, kind: memory, fidelity: ideal, bandwidth: $width}
links:
  - Core -> Mem
`

// folderWith makes a folder with a configuration and two runs of it, and a file
// outside of it, which must not be served.
func folderWith(t *testing.T) string {
	outside := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(outside, "secret.txt"), []byte("secret"), 0o600))
	dir := filepath.Join(outside, "work")
	require.NoError(t, os.Mkdir(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "small.yaml"), []byte(config), 0o600))
	for name, rows := range map[string]string{"a": "16", "b": "32"} {
		x, err := experiment.Load(filepath.Join(dir, "small.yaml"), experiment.Options{Set: []string{"Core.rows=" + rows}})
		require.NoError(t, err)
		res, proc, err := x.Run(context.Background(), nil)
		require.NoError(t, err)
		require.NoError(t, res.WriteDir(filepath.Join(dir, "runs", name), proc))
	}
	require.NoError(t, os.Symlink(filepath.Join(outside, "secret.txt"), filepath.Join(dir, "link.txt")))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "up")))
	return dir
}

func serve(t *testing.T, dir string) (*Site, *httptest.Server) {
	s, err := New(dir, experiment.Options{})
	require.NoError(t, err)
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s, h
}

func TestWhoIsRefused(t *testing.T) {
	s, h := serve(t, folderWith(t))
	get := func(path string, change func(*http.Request)) (int, string) {
		r, err := http.NewRequest("GET", h.URL+path, nil)
		require.NoError(t, err)
		if change != nil {
			change(r)
		}
		a, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer a.Body.Close()
		b, err := io.ReadAll(a.Body)
		require.NoError(t, err)
		require.NotContains(t, string(b), "secret", path)
		return a.StatusCode, string(b)
	}
	own := "/" + s.Token()
	code, text := get("/?token="+s.Token(), nil)
	require.Equal(t, 200, code)
	require.Contains(t, text, "runs/a")
	code, text = get(own+"/file/runs/a/metrics.csv", nil)
	require.Equal(t, 200, code)
	require.True(t, strings.HasPrefix(text, "phase,where,name,value,unit"))

	for _, path := range []string{"/", "/?token=", "/?token=0000", "/run/runs/a", "/0123456789abcdef/run/runs/a", own + "x/", "/file/runs/a/metrics.csv"} {
		code, _ := get(path, nil)
		require.Equal(t, 403, code, "without the token: %s", path)
	}
	for _, path := range []string{
		"/file/..%2f..%2fetc/passwd", "/file/..%2fsecret.txt", "/file/%2e%2e/secret.txt", "/file/..%5csecret.txt", "/..%2f" + s.Token() + "/secret.txt", "/run/..%2f",
		"/file/link.txt", "/file/up/secret.txt", "/file/up/work/small.yaml", "/run/up", "/config/up/secret.txt", "/config/link.txt", "/file//secret.txt", "/compare?a=../x&b=up", "/file/runs", "/file/runs/a/none",
	} {
		code, _ := get(own+path, nil)
		require.Contains(t, []int{400, 403, 404}, code, path)
	}
	for name, change := range map[string]func(*http.Request){
		"another origin":    func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") },
		"another port":      func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:1") },
		"no origin":         func(r *http.Request) { r.Header.Set("Origin", "null") },
		"another site":      func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		"a name that leads": func(r *http.Request) { r.Host = "evil.example" },
	} {
		code, _ := get(own+"/", change)
		require.Equal(t, 403, code, name)
	}
	code, _ = get(own+"/", func(r *http.Request) { r.Header.Set("Origin", h.URL) })
	require.Equal(t, 200, code)
}

// A trial says what is wrong, where, and what a change comes to.
func TestTry(t *testing.T) {
	s, h := serve(t, folderWith(t))
	try := func(body string) (o outcome) {
		a, err := http.Post(h.URL+"/"+s.Token()+"/api/try/small.yaml", "application/json", strings.NewReader(body))
		require.NoError(t, err)
		defer a.Body.Close()
		require.NoError(t, json.NewDecoder(a.Body).Decode(&o))
		return o
	}
	base := try(`{}`)
	require.Empty(t, base.Errors)
	require.Equal(t, "total_time", base.Metrics[0].Name)
	wide := try(`{"set": {"Core.rows": "64"}}`)
	require.Less(t, wide.Metrics[0].Value, base.Metrics[0].Value)
	require.Contains(t, string(wide.Figures), `"stalls"`)
	require.Empty(t, base.Change)
	require.Contains(t, base.Sentence, "Compute is the bottleneck")
	require.Regexp(t, `^Core.rows 16 -> 64: .*x faster`, wide.Change)
	other := try(`{"set": {"Core.rows": "32"}, "held": {"Core.rows": "64"}}`)
	require.Regexp(t, `^Core.rows 16 -> 32: .*x faster`, other.Change)
	require.Regexp(t, `^Core.rows 64 -> 32: .*x slower`, other.Versus)
	require.Contains(t, try(`{"set": {"Core.rows": "-3"}}`).Errors[0], "Core.rows: -3 is too small (want at least 1)")
	require.Contains(t, try(`{"set": {"Core.dataflow": "xs"}}`).Errors[0], `"xs" is not known`)
	for _, out := range []string{"../secret", "/etc/passwd", `{file: /etc/passwd}`, `{\"file\":\"/etc/passwd\"}`, `a\\b`} {
		require.Contains(t, try(`{"set": {"workload.model": "` + out + `"}}`).Errors[0], "not in the folder", out)
	}
}

// A change is sent as the file with its comments. It is written into the folder of the file, under a free name only.
func TestSave(t *testing.T) {
	dir := folderWith(t)
	s, h := serve(t, dir)
	save := func(path, body string) (code int, a struct {
		Errors     []string
		Text, Path string
	}) {
		r, err := http.Post(h.URL+"/"+s.Token()+"/api/save/"+path, "application/json", strings.NewReader(body))
		require.NoError(t, err)
		defer r.Body.Close()
		if r.StatusCode == 200 {
			require.NoError(t, json.NewDecoder(r.Body).Decode(&a))
		}
		return r.StatusCode, a
	}
	want := strings.Replace(config, "rows: 16", "rows: 64", 1)
	_, a := save("small.yaml", `{"set": {"Core.rows": "64"}}`)
	require.Equal(t, want, a.Text)
	require.Empty(t, a.Path)
	_, a = save("small.yaml", `{"set": {"Core.rows": "64"}, "as": "wide.yaml"}`)
	require.Equal(t, "wide.yaml", a.Path)
	b, err := os.ReadFile(filepath.Join(dir, "wide.yaml"))
	require.NoError(t, err)
	require.Equal(t, want, string(b))
	_, a = save("small.yaml", `{"set": {"Core.rows": "32"}, "as": "wide.yaml"}`)
	require.Equal(t, []string{"wide.yaml exists: give another name"}, a.Errors)
	for _, name := range []string{"../x.yaml", "up/x.yaml", `..\\x.yaml`, ".x.yaml", "x.txt", "/x.yaml"} {
		_, a = save("small.yaml", `{"set": {}, "as": "`+name+`"}`)
		require.Contains(t, strings.Join(a.Errors, ""), "want the name of a file", name)
	}
	code, _ := save("link.txt", `{}`)
	require.Equal(t, 404, code)
	_, a = save("small.yaml", `{"set": {"Core.rows": "x"}}`)
	require.Empty(t, a.Errors, "a value that is wrong can be saved")

	// What another file holds is written resolved.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "more.yaml"), []byte("schema: causeway/1\nextends: small.yaml\nnodes:\n  - {name: Core, cols: 8}\n"), 0o600))
	_, a = save("more.yaml", `{"set": {"Core.rows": "64"}}`)
	require.Empty(t, a.Errors)
	require.Equal(t, "schema: causeway/1\nextends: small.yaml\nnodes:\n  - {name: Core, rows: 64, cols: 8}\n", a.Text)
	_, a = save("more.yaml", `{"set": {"width": "8GB/s"}}`)
	require.Contains(t, a.Text, "# more.yaml with width=8GB/s, resolved:")
	require.Contains(t, a.Text, "8GB/s")
}

// The report of a sweep is of the points that the query keeps, in its figures and its tables.
func TestFilter(t *testing.T) {
	dir := folderWith(t)
	sw, err := sweep.Load(filepath.Join(dir, "small.yaml"), experiment.Options{}, "Core.rows=8,16,32", "Core.dataflow=os,ws")
	require.NoError(t, err)
	sw.Dir = filepath.Join(dir, "runs", "grid")
	require.NoError(t, sw.Check(context.Background()))
	_, err = sw.Run(context.Background())
	require.NoError(t, err)
	s, h := serve(t, dir)
	get := func(query string) (text string, points int) {
		a, err := http.Get(h.URL + "/" + s.Token() + "/sweep/runs/grid" + query)
		require.NoError(t, err)
		defer a.Body.Close()
		b, err := io.ReadAll(a.Body)
		require.NoError(t, err)
		require.Equal(t, 200, a.StatusCode, string(b))
		_, block, ok := strings.Cut(string(b), `<script type="application/json" id="data">`)
		require.True(t, ok)
		var data struct {
			Tables map[string]struct{ Rows [][]any }
		}
		require.NoError(t, json.NewDecoder(strings.NewReader(block)).Decode(&data))
		return string(b), len(data.Tables["points"].Rows)
	}
	text, points := get("")
	require.Equal(t, 6, points)
	require.Contains(t, text, `<option value="set:Core.dataflow">Core.dataflow</option>`)
	text, points = get("?by=set:Core.dataflow&is=ws&by=set:Core.rows&is=16..64")
	require.Equal(t, 2, points)
	require.Contains(t, text, "2 of 6 points")
	require.Contains(t, text, "Of the 6 points of the sweep a filter keeps 2 points")
	require.Contains(t, text, `href="?by=set%3ACore.rows&amp;is=16..64"`)
	text, points = get("?by=set:Core.rows&is=%3C+3GB")
	require.Equal(t, 6, points)
	require.Contains(t, text, "want values as in 8, 16")
	_, points = get("?by=set:Core.rows&is=7")
	require.Equal(t, 0, points)
	text, _ = get("?by=set:Core.rows&is=%22%3Cscript%3Ealert")
	require.NotContains(t, text, "<script>alert")
}

// open shows a page of a site in a browser.
func open(t *testing.T, s *Site, h *httptest.Server, path string) *browser.Page {
	p := browser.Open(t, 1300, 1000)
	p.Go(h.URL + "/" + s.Token() + path)
	return p
}

// ours keeps what a page may ask for: the site itself.
func requireOwn(t *testing.T, h *httptest.Server, p *browser.Page) {
	for _, u := range p.Requests {
		require.True(t, strings.HasPrefix(u, h.URL), u)
	}
	require.Empty(t, p.Problems)
}

// A reader changes rows and sees the new figure, sees what is wrong with a value, and goes
// back to the file.
func TestFormInABrowser(t *testing.T) {
	dir := folderWith(t)
	s, h := serve(t, dir)
	started := make(chan []string, 1)
	s.Command = func(args ...string) *exec.Cmd {
		started <- args
		return exec.Command(os.Args[0], "-test.run=^$") // does nothing; cmd/causeway tests real sweeps
	}
	p := open(t, s, h, "/config/small.yaml")
	// A press needs no place on the page: a list of suggestions may cover it on a slow machine.
	press := func(selector string) { p.Eval(`document.querySelector('`+selector+`').click()`, nil) }
	cells := func(which string) (n int) {
		p.Eval(`document.querySelectorAll('`+which+`').length`, &n)
		return n
	}
	p.Wait(`document.querySelector('#form').dataset.shown`)
	cell := func(column int) (text string) {
		p.Eval(`document.querySelector('#effect tr[data-metric=total_time] td:nth-child(`+string(rune('0'+column))+`)').textContent`, &text)
		return text
	}
	require.Equal(t, "1", cell(4))
	bar := `causeway.charts.stalls.chart.getOption().series.reduce((a, s) => a + s.data[0], 0)`
	p.Wait(`document.querySelector('#stalls').scrollIntoView({behavior: 'instant'}) || causeway.charts.stalls.chart`)
	var before, after float64
	p.Eval(bar, &before)

	input := `input[name="Core.rows"]`
	p.Click(input)
	p.Eval(`document.querySelector('`+input+`').select()`, nil)
	began := time.Now()
	p.Type("64")
	p.Wait(`document.querySelector('#effect tr[data-metric=total_time] td:nth-child(4)').textContent !== '1'`)
	t.Logf("the effect was there after %v", time.Since(began))
	p.Eval(bar, &after)
	require.Less(t, after, before, "the figure follows")
	var command string
	p.Eval(`document.querySelector('#set').textContent`, &command)
	require.Equal(t, "causeway run small.yaml --set Core.rows=64", command)

	press(`#save`)
	p.Wait(`document.querySelector('#said a')`)
	saved, err := os.ReadFile(filepath.Join(dir, "small-2.yaml"))
	require.NoError(t, err)
	require.Equal(t, strings.Replace(config, "rows: 16", "rows: 64", 1), string(saved))
	press(`#hold`)
	p.Eval(`document.querySelector('`+input+`').select()`, nil)
	p.Type("32")
	p.Wait(`document.querySelector('[data-of="now against held"]')`)
	var sentences string
	p.Eval(`document.querySelector('#sentences').textContent`, &sentences)
	require.Contains(t, sentences, "held (Core.rows=64): ")
	require.Contains(t, sentences, "now (Core.rows=32): ")
	require.Contains(t, sentences, "Core.rows 64 -> 32: ")
	require.Equal(t, 7, cells(`#effect tr[data-metric=total_time] td`), "file, now, held and the difference")
	press(`#hold`)
	p.Wait(`!document.querySelector('[data-of=held]')`)
	focus := func(selector string) { p.Eval(`document.querySelector('`+selector+`').focus()`, nil) }
	focus(`.axis input[name=path]`)
	p.Type("Core.cols")
	focus(`.axis input[name=values]`)
	p.Type("8, 16, 32")
	press(`#start`)
	p.Wait(`document.querySelector('#startsaid').textContent === 'runs/small-sweep was started, 3 points'`)
	require.Equal(t, []string{"sweep", filepath.Join(s.dir, "small.yaml"), "--out", filepath.Join(s.dir, "runs", "small-sweep"), "--quiet", "--set=Core.rows=32", "--axis=Core.cols=8, 16, 32"}, <-started)
	p.Wait(`document.querySelector('[data-going="runs/small-sweep"]')?.textContent.includes('all points are there')`)

	p.Eval(`document.querySelector('`+input+`').select()`, nil)
	p.Type("-3")
	fault := `document.querySelector('[data-path="Core.rows"] .fault')`
	p.Wait(`!` + fault + `.hidden`)
	var text string
	p.Eval(fault+`.textContent`, &text)
	require.Contains(t, text, "-3 is too small (want at least 1)")
	var words []string
	p.Eval(`[...document.querySelector('input[name="Core.dataflow"]').list.options].map(o => o.value)`, &words)
	require.Contains(t, words, "os", "completion")

	p.Click(`#reset`)
	p.Wait(fault + `.hidden && document.querySelector('#effect tr[data-metric=total_time] td:nth-child(4)').textContent === '1'`)
	requireOwn(t, h, p)
}

// A reader searches the list, compares two runs, and sees what runs.
func TestIndexInABrowser(t *testing.T) {
	dir := folderWith(t)
	s, h := serve(t, dir)
	p := open(t, s, h, "/")
	count := func() (text string) {
		p.Eval(`document.querySelector('[data-table=runs] .count').textContent`, &text)
		return text
	}
	require.Equal(t, "2 rows", count())
	p.Click(`[data-table=runs] input[type=search]`)
	p.Type("runs/b")
	require.Equal(t, "1 of 2 rows", count())

	b, err := json.Marshal(experiment.Live{What: "work", Done: 3, Total: 12, At: "Core at layer conv2 (2 of 9)", Time: 5e6, Spent: 30, Waits: []string{"Core waits for Mem: 4 requests"}})
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "runs", "long"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "runs", "long", ProgressName), b, 0o600))
	p.Wait(`document.querySelector('[data-going="runs/long"]')`)
	var text string
	p.Eval(`document.querySelector('[data-going="runs/long"]').textContent`, &text)
	require.Contains(t, text, "3 of 12 work, 30 s gone, 1.5 min left, at 5 ms of simulated time")
	require.Contains(t, text, ", Core at layer conv2 (2 of 9)")
	require.Contains(t, text, "Core waits for Mem: 4 requests")
	p.Eval(`document.querySelector('[data-going="runs/long"] button').click()`, nil)
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(dir, "runs", "long", CancelName))
		return err == nil
	}, time.Minute, 20*time.Millisecond)

	p.Click(`input[name=a]`)
	p.Type("runs/a")
	p.Click(`input[name=b]`)
	p.Type("runs/b")
	p.Key("Enter")
	p.Wait(`location.pathname.endsWith('/compare') && document.readyState === 'complete' && window.causeway`)
	p.Eval(`document.querySelector('h1').textContent`, &text)
	require.Equal(t, "runs/b against runs/a", text)
	p.Wait(`causeway.charts.versus && causeway.charts.versus.chart`)
	requireOwn(t, h, p)
}
