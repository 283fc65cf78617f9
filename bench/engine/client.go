package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"strconv"
	"sync"
)

// conn is one connection that is kept alive. It does as little as can be, so that the machine is the engine's.
type conn struct {
	net.Conn
	in   *bufio.Reader
	body bytes.Buffer
}

func dial(addr string) (*conn, error) {
	c, err := net.Dial("tcp", addr) //nolint:noctx // on this machine it is there or not
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c, in: bufio.NewReaderSize(c, 64<<10)}, nil
}

// newRequest is the text of one request. Engines on a developer's machine read the access key and check no signature.
func newRequest(addr, operation, body string) []byte {
	return fmt.Appendf(nil, "POST / HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-amz-json-1.0\r\n"+
		"X-Amz-Target: DynamoDB_20120810.%s\r\nX-Amz-Date: 20260101T000000Z\r\n"+
		"Authorization: AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0\r\n"+
		"Content-Length: %d\r\n\r\n%s", addr, operation, len(body), body)
}

// call returns the body of the reply, which is good until the next call.
func (c *conn) call(request []byte) ([]byte, error) {
	if _, err := c.Write(request); err != nil {
		return nil, err
	}
	status, err := c.in.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	ok := bytes.Contains(status, []byte(" 200 "))
	length, err := c.readHeader()
	if err != nil {
		return nil, err
	}
	c.body.Reset()
	if length < 0 {
		err = c.readChunks()
	} else {
		_, err = io.CopyN(&c.body, c.in, int64(length))
	}
	if err == nil && !ok {
		err = fmt.Errorf("refused: %s", c.body.Bytes())
	}
	return c.body.Bytes(), err
}

// readHeader returns the length of the body, -1 when it comes in chunks.
func (c *conn) readHeader() (length int, err error) {
	length = -1
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			return length, nil
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		if bytes.EqualFold(name, []byte("Content-Length")) {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return 0, err
			}
		}
	}
}

func (c *conn) readChunks() error {
	if _, err := c.body.ReadFrom(httputil.NewChunkedReader(c.in)); err != nil {
		return err
	}
	_, err := c.in.ReadSlice('\n') // the end of a trailer that nobody sends
	return err
}

// callAll sends n requests over some connections at once. request makes the i-th; check looks at each reply.
func callAll(addr string, clients, n int, request func(i int) []byte, check func(body []byte) error) error {
	errs := make([]error, clients)
	var wg sync.WaitGroup
	for k := range clients {
		wg.Go(func() {
			c, err := dial(addr)
			if err != nil {
				errs[k] = err
				return
			}
			defer c.Close() //nolint:errcheck // it was only read
			for i := k; i < n; i += clients {
				body, err := c.call(request(i))
				if err == nil && check != nil {
					err = check(body)
				}
				if err != nil {
					errs[k] = err
					return
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
