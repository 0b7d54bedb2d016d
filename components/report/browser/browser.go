package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// names are what Chromium is called.
var names = []string{"chromium", "chromium-browser", "google-chrome"}

// flags keep the browser from anything but the page: no display, no sandbox of its own (a
// container's user may have none), no traffic for itself.
var flags = []string{
	"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
	"--disable-component-update", "--disable-sync", "--disable-extensions", "--mute-audio", "--remote-debugging-port=0", "about:blank",
}

// A Page is a tab of a browser of its own.
type Page struct {
	t    testing.TB
	conn *socket
	id   int
	// Problems are errors on the console and exceptions of scripts.
	Problems []string
	// Requests are the addresses that the page has asked for, without its own and data.
	Requests []string
	self     string
	timeout  time.Duration
}

// Here reports whether there is a Chromium.
func Here() bool { return find() != "" }

func find() string {
	for _, n := range names {
		if p, err := exec.LookPath(n); err == nil {
			return p
		}
	}
	return ""
}

// Open starts a browser with a window of that size. The test is skipped, with the reason,
// where there is no Chromium. Everything is gone when the test ends.
func Open(t testing.TB, width, height int) *Page {
	t.Helper()
	path := find()
	if path == "" {
		t.Skipf("no Chromium here (want one of: %s); Debian has it in the package chromium", strings.Join(names, ", "))
	}
	ctx, stop := context.WithCancel(context.Background())
	profile, err := os.MkdirTemp("", "causeway-browser-*")
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(ctx, path, append([]string{"--user-data-dir=" + profile, fmt.Sprintf("--window-size=%d,%d", width, height)}, flags...)...)
	c.WaitDelay = 10 * time.Second
	out, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		_ = c.Wait()              // it was killed
		_ = os.RemoveAll(profile) // a temporary folder
	})
	address, err := announced(out)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := dial(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	p := &Page{t: t, conn: conn, timeout: 60 * time.Second}
	var target struct{ TargetID string }
	p.call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var session struct{ SessionID string }
	p.call("", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session)
	p.conn.session = session.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		p.Call(domain+".enable", nil, nil)
	}
	p.Resize(width, height)
	return p
}

// announced is the address that the browser prints when it is ready.
func announced(out interface{ Read([]byte) (int, error) }) (string, error) {
	found := make(chan string, 1)
	go func() {
		s := bufio.NewScanner(out)
		for s.Scan() {
			if _, address, ok := strings.Cut(s.Text(), "DevTools listening on ws://"); ok {
				found <- address
			}
		}
		close(found)
	}()
	select {
	case a, ok := <-found:
		if !ok {
			return "", errors.New("the browser ended before it was ready")
		}
		return a, nil
	case <-time.After(60 * time.Second):
		return "", errors.New("the browser was not ready within a minute")
	}
}

// Resize sets the size of the window.
func (p *Page) Resize(width, height int) {
	p.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// Dark says whether the reader prefers a dark page.
func (p *Page) Dark(on bool) {
	value := "light"
	if on {
		value = "dark"
	}
	p.Call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": value}}}, nil)
}

// Go opens a page and waits until it is loaded.
func (p *Page) Go(url string) {
	p.t.Helper()
	p.self = url
	p.Call("Page.navigate", map[string]any{"url": url}, nil)
	p.Wait(`document.readyState === 'complete' && location.href !== 'about:blank'`)
}

// Eval runs an expression in the page, waits for it where it is a promise, and decodes
// what it comes to into out, which may be nil. An exception fails the test.
func (p *Page) Eval(expression string, out any) {
	p.t.Helper()
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	p.Call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true}, &r)
	if e := r.ExceptionDetails; e != nil {
		p.t.Fatalf("%s: %s %s", expression, e.Text, e.Exception.Description)
	}
	if out != nil {
		if err := json.Unmarshal(r.Result.Value, out); err != nil {
			p.t.Fatalf("%s is %q: %v", expression, r.Result.Value, err)
		}
	}
}

// Wait waits until an expression is true.
func (p *Page) Wait(expression string) {
	p.t.Helper()
	for end := time.Now().Add(p.timeout); ; {
		var ok bool
		p.Eval("!!("+expression+")", &ok)
		if ok {
			return
		}
		if time.Now().After(end) {
			p.t.Fatalf("never came true: %s", expression)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// Click presses the mouse in the middle of the first element of a selector, which is
// scrolled into view.
func (p *Page) Click(selector string) {
	p.t.Helper()
	x, y := p.middle(selector)
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		p.Call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}, nil)
	}
}

// Wheel turns the wheel over an element, with the control key.
func (p *Page) Wheel(selector string, by float64) {
	p.t.Helper()
	x, y := p.middle(selector)
	p.Call("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": x, "y": y}, nil)
	p.Call("Input.dispatchMouseEvent", map[string]any{"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": by, "modifiers": 2}, nil)
}

func (p *Page) middle(selector string) (x, y float64) {
	p.t.Helper()
	q, _ := json.Marshal(selector)
	p.Wait(fmt.Sprintf(`document.querySelector(%s)`, q))
	var at [2]float64
	p.Eval(fmt.Sprintf(`(() => { const e = document.querySelector(%s); e.scrollIntoView({block: 'center', behavior: 'instant'}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, q), &at)
	return at[0], at[1]
}

// Type types text into the element that has the focus.
func (p *Page) Type(text string) {
	p.Call("Input.insertText", map[string]any{"text": text}, nil)
}

// Key presses a key by its name, as "Tab", "Enter" or "+".
func (p *Page) Key(name string) {
	e := map[string]any{"type": "keyDown", "key": name}
	codes := map[string]int{"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowRight": 39, "ArrowDown": 40, "ArrowUp": 38}
	if c, ok := codes[name]; ok {
		e["windowsVirtualKeyCode"], e["code"] = c, name
		if name == "Enter" {
			e["text"] = "\r"
		}
	} else {
		e["text"] = name
	}
	p.Call("Input.dispatchKeyEvent", e, nil)
	p.Call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": name}, nil)
}

// Call sends a command of the DevTools protocol to the page; out may be nil.
func (p *Page) Call(method string, params, out any) {
	p.t.Helper()
	p.call(p.conn.session, method, params, out)
}

// A message is a command.
type message struct {
	ID        int    `json:"id,omitempty"`
	SessionID string `json:"sessionId,omitempty"`
	Method    string `json:"method,omitempty"`
	Params    any    `json:"params,omitempty"`
}

func (p *Page) call(session, method string, params, out any) {
	p.t.Helper()
	p.id++
	b, err := json.Marshal(message{ID: p.id, SessionID: session, Method: method, Params: params})
	if err == nil {
		err = p.conn.write(b)
	}
	for err == nil {
		var text []byte
		if text, err = p.conn.read(time.Now().Add(p.timeout)); err != nil {
			break
		}
		var m struct {
			ID     int
			Method string
			Params json.RawMessage
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if err = json.Unmarshal(text, &m); err != nil {
			break
		}
		if m.ID != p.id {
			p.note(m.Method, m.Params)
			continue
		}
		if m.Error != nil {
			p.t.Fatalf("%s: %s", method, m.Error.Message)
		}
		if out != nil {
			err = json.Unmarshal(m.Result, out)
		}
		if err == nil {
			return
		}
	}
	p.t.Fatalf("%s: %v", method, err)
}

// note keeps what the browser says on its own.
func (p *Page) note(method string, params []byte) {
	var e struct {
		Type             string
		Args             []struct{ Value any }
		ExceptionDetails struct {
			Text      string
			Exception struct{ Description string }
		}
		Entry   struct{ Level, Text, URL string }
		Request struct{ URL string }
	}
	if json.Unmarshal(params, &e) != nil {
		return
	}
	switch method {
	case "Runtime.exceptionThrown":
		p.Problems = append(p.Problems, e.ExceptionDetails.Text+" "+e.ExceptionDetails.Exception.Description)
	case "Runtime.consoleAPICalled":
		if e.Type == "error" || e.Type == "warning" || e.Type == "assert" {
			p.Problems = append(p.Problems, fmt.Sprint(e.Type, " ", e.Args))
		}
	case "Log.entryAdded":
		if e.Entry.Level == "error" {
			p.Problems = append(p.Problems, e.Entry.Text+" "+e.Entry.URL)
		}
	case "Network.requestWillBeSent":
		if u := e.Request.URL; u != p.self && !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "blob:") && u != "about:blank" {
			p.Requests = append(p.Requests, u)
		}
	}
}
