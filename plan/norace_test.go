//go:build !race

package plan_test

// slowdown is what measured times may be longer.
const slowdown = 1
