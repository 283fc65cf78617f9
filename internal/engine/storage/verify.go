package storage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// bbolt checks its meta pages only, and of these it takes the one that is whole. It panics, or leaves out what it does
// not find, on any other page that is damaged. So a file is verified page by page before it is used. What follows is
// the layout of bbolt's file, in the byte order of the machine (which is how bbolt writes it).
const (
	pageHeaderSize          = 16 // id, flags, count, overflow
	elementSize             = 16 // of a branch or a leaf
	bucketHeaderSize        = 16 // root, sequence
	metaSize                = 64 // with its checksum
	metaPages               = 2
	maxKeptCount            = 0xFFFF // a longer list of free pages has its count in the first entry
	pageIDSize              = 8
	smallestPage            = 512
	largestPage             = 1 << 20
	bucketFlag              = 1
	flagBranch       uint16 = 1
	flagLeaf         uint16 = 2
	flagMeta         uint16 = 4
	flagFree         uint16 = 16
)

// verifier goes over all pages of a file.
type verifier struct {
	file     io.ReaderAt
	pageSize int
	pages    uint64          // how many the file should have
	used     map[uint64]bool // pages that were met
}

// page is a page with all that overflows into the pages after it.
type page struct {
	flags   uint16
	count   int
	content []byte
}

// verify reads every page and reports the first thing that cannot be. Values have no checksum: a byte that was changed
// in one of them it cannot find.
func verify(path string) (err error) {
	file, err := os.Open(path) //nolint:gosec // the path is the user's
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	newest, err := verifyMetas(file)
	if err != nil {
		return err
	}
	v := &verifier{file: file, pageSize: newest.pageSize, pages: newest.pages, used: map[uint64]bool{}}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if should := int64(v.pages) * int64(v.pageSize); info.Size() < should { //nolint:gosec // compared before it is trusted
		return fmt.Errorf("it has %d bytes and should have %d", info.Size(), should)
	}
	if err := v.tree(newest.root, nil, nil, v.bucket); err != nil {
		return err
	}
	return v.free(newest.free)
}

// meta is what a meta page says.
type meta struct {
	pageSize          int
	root, free, pages uint64
	transaction       uint64
}

// verifyMetas returns the newer meta page. Both must be whole: no kill tears one, as it is written in one sector, so a
// damaged one is damage, and the older one is not what was last acknowledged.
func verifyMetas(file io.ReaderAt) (meta, error) {
	first, err := verifyMeta(file, 0, 0)
	if err != nil {
		return meta{}, fmt.Errorf("meta page 0: %w", err)
	}
	second, err := verifyMeta(file, 1, first.pageSize)
	switch {
	case err != nil:
		return meta{}, fmt.Errorf("meta page 1: %w", err)
	case second.pageSize != first.pageSize:
		return meta{}, errors.New("the meta pages disagree")
	case second.transaction > first.transaction:
		return second, nil
	}
	return first, nil
}

func verifyMeta(file io.ReaderAt, id uint64, at int) (meta, error) {
	content := make([]byte, pageHeaderSize+metaSize)
	if _, err := file.ReadAt(content, int64(at)); err != nil {
		return meta{}, fmt.Errorf("cannot be read: %w", err)
	}
	order := binary.NativeEndian
	body := content[pageHeaderSize:]
	sum := fnv.New64a()
	_, _ = sum.Write(body[:metaSize-8]) // a hash never fails
	m := meta{
		pageSize: int(order.Uint32(body[8:])), root: order.Uint64(body[16:]), free: order.Uint64(body[32:]),
		pages: order.Uint64(body[40:]), transaction: order.Uint64(body[48:]),
	}
	switch {
	case order.Uint64(content) != id, order.Uint16(content[8:]) != flagMeta:
		return meta{}, errors.New("its header is damaged")
	case order.Uint64(body[metaSize-8:]) != sum.Sum64():
		return meta{}, errors.New("its checksum is wrong")
	case m.pageSize < smallestPage || m.pageSize > largestPage:
		return meta{}, fmt.Errorf("its page size is %d", m.pageSize)
	}
	return m, nil
}

// page reads a page that nothing else led to.
func (v *verifier) page(id uint64) (page, error) {
	header := make([]byte, pageHeaderSize)
	if id < metaPages || id >= v.pages {
		return page{}, fmt.Errorf("page %d is out of range", id)
	}
	at := int64(id) * int64(v.pageSize) //nolint:gosec // within the file
	if _, err := v.file.ReadAt(header, at); err != nil {
		return page{}, err
	}
	order := binary.NativeEndian
	overflow := uint64(order.Uint32(header[12:]))
	if order.Uint64(header) != id || overflow >= v.pages-id {
		return page{}, fmt.Errorf("the header of page %d is damaged", id)
	}
	for used := id; used <= id+overflow; used++ {
		if v.used[used] {
			return page{}, fmt.Errorf("page %d is used twice", used)
		}
		v.used[used] = true
	}
	content := make([]byte, int(overflow+1)*v.pageSize) //nolint:gosec // within the file
	if _, err := v.file.ReadAt(content, at); err != nil {
		return page{}, err
	}
	return page{order.Uint16(header[8:]), int(order.Uint16(header[10:])), content}, nil
}

// element is a key with what a branch or a leaf has for it.
type element struct {
	key   []byte
	value []byte // of a leaf
	flags uint32 // of a leaf
	child uint64 // of a branch
}

// elements reads the elements of a branch or a leaf, which must fill it without a gap: a wrong count shows.
func (p page) elements() ([]element, error) {
	order := binary.NativeEndian
	leaf := p.flags == flagLeaf
	end := pageHeaderSize + p.count*elementSize
	all := make([]element, p.count)
	for i := range all {
		at := pageHeaderSize + i*elementSize
		if at+elementSize > len(p.content) {
			return nil, errors.New("it has more elements than fit")
		}
		var e element
		head := p.content[at:]
		position, keySize, valueSize := int(order.Uint32(head)), int(order.Uint32(head[4:])), 0
		if leaf {
			e.flags = order.Uint32(head)
			position, keySize, valueSize = int(order.Uint32(head[4:])), int(order.Uint32(head[8:])), int(order.Uint32(head[12:]))
		} else {
			e.child = order.Uint64(head[8:])
		}
		if at+position != end || keySize == 0 || keySize+valueSize > len(p.content)-end || e.flags&^bucketFlag != 0 {
			return nil, fmt.Errorf("its element %d is damaged", i)
		}
		e.key, e.value = p.content[end:end+keySize], p.content[end+keySize:end+keySize+valueSize]
		end += keySize + valueSize
		all[i] = e
	}
	return all, nil
}

// tree verifies the pages below one, whose keys must be from <= key < to, a nil bound being none.
func (v *verifier) tree(id uint64, from, to []byte, leaf func(element) error) error {
	p, err := v.page(id)
	if err != nil {
		return err
	}
	if p.flags != flagBranch && p.flags != flagLeaf {
		return fmt.Errorf("page %d is neither a branch nor a leaf", id)
	}
	if err := v.walk(p, from, to, leaf); err != nil {
		return fmt.Errorf("page %d: %w", id, err)
	}
	return nil
}

func (v *verifier) walk(p page, from, to []byte, leaf func(element) error) error {
	all, err := p.elements()
	switch {
	case err != nil:
		return err
	case p.flags == flagBranch && len(all) == 0:
		return errors.New("it is a branch of nothing")
	case p.size(all) > len(p.content), !isZero(p.content[p.size(all):]), len(p.content)-p.size(all) >= v.pageSize && len(p.content) > v.pageSize:
		return errors.New("it has another size")
	}
	for i, e := range all {
		next := to
		if i+1 < len(all) {
			next = all[i+1].key
		}
		if from != nil && bytes.Compare(e.key, from) < 0 || next != nil && bytes.Compare(e.key, next) >= 0 {
			return errors.New("its keys are out of order")
		}
		if p.flags == flagLeaf {
			err = leaf(e)
		} else {
			err = v.tree(e.child, e.key, next, leaf)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func isZero(content []byte) bool {
	for _, b := range content {
		if b != 0 {
			return false
		}
	}
	return true
}

// size is how much of the page is in use.
func (p page) size(all []element) int {
	size := pageHeaderSize
	for _, e := range all {
		size += elementSize + len(e.key) + len(e.value)
	}
	return size
}

// bucket verifies an element of the root: a bucket, in pages of its own or inside the element.
func (v *verifier) bucket(e element) error {
	if e.flags != bucketFlag || len(e.value) < bucketHeaderSize {
		return fmt.Errorf("%q is no bucket", e.key)
	}
	var err error
	if root := binary.NativeEndian.Uint64(e.value); root != 0 {
		err = v.tree(root, nil, nil, pair)
	} else {
		err = v.inline(e.value[bucketHeaderSize:])
	}
	if err != nil {
		return fmt.Errorf("bucket %q: %w", e.key, err)
	}
	return nil
}

func (v *verifier) inline(content []byte) error {
	if len(content) < pageHeaderSize {
		return errors.New("it is too short")
	}
	order := binary.NativeEndian
	p := page{order.Uint16(content[8:]), int(order.Uint16(content[10:])), content}
	if order.Uint64(content) != 0 || p.flags != flagLeaf || order.Uint32(content[12:]) != 0 {
		return errors.New("its header is damaged")
	}
	all, err := p.elements()
	if err == nil && p.size(all) != len(content) {
		err = errors.New("it has another size")
	}
	if err != nil {
		return err
	}
	return v.walk(p, nil, nil, pair)
}

// pair verifies an element of a bucket.
func pair(e element) error {
	if e.flags != 0 {
		return fmt.Errorf("%q is a bucket in a bucket", e.key)
	}
	return nil
}

// free verifies that every page is either in use or in the list of free pages, which would otherwise be written over.
func (v *verifier) free(list uint64) error {
	p, err := v.page(list)
	if err != nil {
		return err
	}
	order := binary.NativeEndian
	entries, n := p.content[pageHeaderSize:], uint64(p.count) //nolint:gosec // never negative
	if p.count == maxKeptCount && len(entries) >= pageIDSize {
		n, entries = order.Uint64(entries), entries[pageIDSize:]
	}
	if p.flags != flagFree || n > uint64(len(entries)/pageIDSize) {
		return errors.New("the list of free pages is damaged")
	}
	for i := range n {
		id := order.Uint64(entries[i*pageIDSize:])
		if id < metaPages || id >= v.pages || v.used[id] {
			return fmt.Errorf("the list of free pages has page %d", id)
		}
		v.used[id] = true
	}
	if missing := v.pages - metaPages - uint64(len(v.used)); missing > 0 {
		return fmt.Errorf("%d pages are neither used nor free", missing)
	}
	return nil
}
