// Package storage is what the engine needs of a store: named ordered spaces of keys, snapshots to read from, atomic
// updates that are durable when they return. Bolt keeps them in a bbolt file, Memory in B-trees of the process.
//
// It must not know what keys and values mean.
package storage
