package engine

import (
	"encoding/binary"
	"strconv"

	"example.com/keyfirst/internal/engine/order"
)

// maxSegments is the most segments that a parallel Scan may have.
const maxSegments = 1_000_000

type scanRequest struct {
	readParameters
	Segment       *int
	TotalSegments *int
}

// scan implements https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html.
func (e *Engine) scan(request *scanRequest) ([]byte, error) {
	name, err := request.check()
	if err != nil {
		return nil, err
	}
	if err := request.checkSegments(); err != nil {
		return nil, err
	}
	holders, err := request.begin(request.FilterExpression, request.ProjectionExpression)
	if err != nil {
		return nil, err
	}
	reading, err := request.parse(name, holders)
	if err != nil {
		return nil, err
	}
	return e.readPage("Scan", reading, func(p *page) error {
		if request.Segment != nil {
			p.from, p.to = segmentRange(*request.Segment, *request.TotalSegments)
		}
		return p.startAfter(request.ExclusiveStartKey)
	})
}

func (request *scanRequest) checkSegments() error {
	segment, total := request.Segment, request.TotalSegments
	switch {
	case segment == nil && total == nil:
		return nil
	case total == nil:
		return validation("The TotalSegments parameter is required but was not present in the request when Segment parameter is present")
	case segment == nil:
		return validation("The Segment parameter is required but was not present in the request when parameter TotalSegments is present")
	case *total < 1 || *total > maxSegments:
		return constraint("'"+itoa(*total)+"'", "totalSegments", "Member must have value between 1 and 1000000")
	case *segment < 0:
		return constraint("'"+itoa(*segment)+"'", "segment", "Member must have value greater than or equal to 0")
	case *segment >= *total:
		return validation("The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: " +
			itoa(*segment) + " is not less than TotalSegments: " + itoa(*total))
	}
	return nil
}

// segmentRange is the range of partition hashes that belong to a segment.
func segmentRange(segment, total int) (from, to []byte) {
	bound := func(n int) []byte {
		return binary.BigEndian.AppendUint32(make([]byte, 0, order.HashSize), uint32((uint64(n)<<32)/uint64(total))) //nolint:gosec // n < total
	}
	if segment+1 < total {
		to = bound(segment + 1)
	}
	return bound(segment), to
}

func itoa(n int) string { return strconv.Itoa(n) }
