package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/components/report/site"
)

// serveDir shows a folder to browsers of this machine until it is interrupted.
func serveDir(c *cobra.Command, s *command.Settings, dir, addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return command.BadInput(fmt.Errorf("--addr %q: want HOST:PORT, for example 127.0.0.1:8080", addr))
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return command.BadInput(fmt.Errorf("--addr %q: only addresses of this machine are served, for example 127.0.0.1:0", addr))
	}
	if st, err := os.Stat(dir); err == nil && !st.IsDir() {
		return command.BadInput(fmt.Errorf("%s is no folder: want DIR, or --stdio to answer other programs", dir))
	}
	h, err := site.New(dir, s.Options(nil))
	if err != nil {
		return command.BadInput(err)
	}
	defer h.Close()
	if h.Command, err = ownCommand(s); err != nil {
		return command.ExitWith(command.ExitInternal, err)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return command.BadInput(err)
	}
	fmt.Fprintf(c.OutOrStdout(), "http://%s/?token=%s\n", l.Addr(), h.Token())
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(c.Context(), func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return command.ExitWith(command.ExitInternal, err)
	}
	return nil
}

// ownCommand returns a function that makes a command of this program, with the same settings.
func ownCommand(s *command.Settings) (func(args ...string) *exec.Cmd, error) {
	self, err := os.Executable()
	return func(args ...string) *exec.Cmd {
		args = append([]string{"causeway"}, args...)
		return &exec.Cmd{Path: self, Args: append(args, "--engine", s.Engine(), "--inputs", s.Inputs())}
	}, err
}
