package dal

import (
	"context"
	"math/rand/v2"
	"time"
)

// wait sleeps before a try is repeated, or until the context ends: at most twice as long as before the last, up to a
// bound, and anything between nothing and that, so that those who failed together do not come back together.
func wait(ctx context.Context, try int) error {
	most := maxBackoff
	if try < maxDoublings {
		most = min(maxBackoff, minBackoff<<try)
	}
	timer := time.NewTimer(rand.N(most))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// maxDoublings is well above the doublings that reach the bound, and well below those that overflow.
const maxDoublings = 16
