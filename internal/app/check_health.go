package app

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"example.com/keyfirst/internal/config"
)

const healthTimeout = 3 * time.Second

// checkHealth asks a server whether it is ready.
func checkHealth(ctx context.Context, c config.Healthcheck) error {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.URL, http.NoBody)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(r)
	if err != nil {
		return fmt.Errorf("no answer: %w", err)
	}
	if err := resp.Body.Close(); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", c.URL, resp.Status)
	}
	return nil
}
