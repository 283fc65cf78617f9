package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/aws/aws-sdk-go-v2/aws"

	"example.com/keyfirst/internal/config"
	"example.com/keyfirst/internal/console"
	"example.com/keyfirst/internal/httpapi"
)

// Config is what New builds a server from: the settings of the command line, and what only a program can give.
type Config struct {
	config.Serve
	// Engine is an open engine to use in place of opening Store.Path, or whatever else answers the requests of the
	// AWS SDK. Closing it stays with its owner. Only for an embedded Store without Path and Latency. Default: none.
	Engine aws.HTTPClient
	// Clock tells the time that writes are stamped with. Default: time.Now.
	Clock func() time.Time
	// Out gets the one line with the address. Default: nothing is written.
	Out io.Writer
	// Logger gets everything else. Default: nothing is logged.
	Logger *slog.Logger
}

// Validate reports what is wrong with the configuration, nil when nothing is.
func (c Config) Validate() error {
	if c.Engine != nil && (!c.Store.Embedded() || c.Store.Path != "" || c.Store.Latency != 0) {
		return errors.New("an engine is given, so the store must be embedded, without a path and a latency")
	}
	return c.Serve.Validate()
}

func (c Config) withDefaults() Config {
	c.Store = c.Store.WithDefaults()
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Out == nil {
		c.Out = io.Discard
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

// App is a server that is ready to run. Whoever made it must Close it.
type App struct {
	config   Config
	store    *store
	settings *settings
	listener net.Listener // nil without an address
	handler  http.Handler
	close    func() error
}

// New opens everything a server needs, and listens, but answers nothing before Run. The embedded table is there when
// it returns, with its demo if asked for. What cannot be reached outside of this process is no error: the server
// runs, and says that it is not available.
func New(ctx context.Context, cfg Config) (_ *App, err error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	a := &App{config: cfg}
	a.close = sync.OnceValue(a.release)
	defer func() {
		if err != nil {
			err = errors.Join(err, a.close())
		}
	}()
	if cfg.Addr != "" {
		if a.listener, err = listen(ctx, cfg.Addr); err != nil {
			return nil, err
		}
	}
	if a.store, err = openStore(ctx, cfg); err != nil {
		return nil, err
	}
	a.settings = newSettings(a.store.table, cfg.Store.Latency, cfg.Logger)
	if err := a.prepareTable(ctx); err != nil {
		return nil, err
	}
	a.handler, err = a.newHandler()
	return a, err
}

// prepareTable makes and fills the table of an embedded engine. Any other may come later.
func (a *App) prepareTable(ctx context.Context) error {
	if !a.config.Store.Embedded() {
		a.settings.refresh(ctx)
		return nil
	}
	if err := a.store.table.Create(ctx, a.config.Store.Shards); err != nil {
		return fmt.Errorf("the table %s cannot be made: %w", a.config.Store.Table, err)
	}
	if a.config.Demo {
		if err := a.store.fillDemo(ctx); err != nil {
			return err
		}
	}
	return a.settings.check(ctx)
}

// newHandler builds the API over the table.
func (a *App) newHandler() (http.Handler, error) {
	schema, planner := newSchema(a.store.table, a.config.Budget)
	return httpapi.New(httpapi.Config{
		Schema:        schema,
		Extensions:    []graphql.HandlerExtension{gate{a.settings, schema.Schema()}, planner},
		Planner:       planner,
		Console:       console.Handler(),
		Ready:         a.settings.check,
		Logger:        a.config.Logger,
		Introspection: a.config.Dev,
	})
}

// Handler answers everything Keyfirst serves, without a socket.
func (a *App) Handler() http.Handler { return a.handler }

// URL is where the server listens; empty without an address. An address that stands for all of the machine's is given
// as the one that works on the machine itself.
func (a *App) URL() string {
	if a.listener == nil {
		return ""
	}
	return urlOf(a.listener.Addr())
}

// Run serves until ctx ends, and then lets the requests under way finish, for ten seconds at most.
func (a *App) Run(ctx context.Context) error {
	if a.listener == nil {
		return errors.New("the server has no address to listen at")
	}
	if _, err := fmt.Fprintf(a.config.Out, "Keyfirst is at %s (GraphQL at /graphql)\n", a.URL()); err != nil {
		return fmt.Errorf("the address cannot be printed: %w", err)
	}
	var background sync.WaitGroup
	refreshing, stop := context.WithCancel(ctx)
	background.Go(func() { a.settings.run(refreshing) })
	defer background.Wait()
	defer stop()
	return serve(ctx, a.listener, a.handler, a.config.Logger)
}

// Close gives everything back that New opened. It may be called more than once.
func (a *App) Close() error { return a.close() }

func (a *App) release() error {
	var errs []error
	if a.listener != nil {
		if err := a.listener.Close(); !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	if a.store != nil {
		errs = append(errs, a.store.close())
	}
	return errors.Join(errs...)
}
