package conformance

import (
	"hash/crc32"
	"net/http"
	"strconv"

	"github.com/stretchr/testify/require"
)

// wireCases are about the protocol itself.
func wireCases() []testCase {
	return []testCase{
		{"wire/an unknown operation", refusedWith("NoSuchOperation", `{}`, "UnknownOperationException")},
		{"wire/a body that is not JSON", refusedWith("GetItem", `{not json`, "SerializationException")},
		{"wire/a string where an object must be", refusedWith("GetItem", `{"TableName":"abc","Key":"a"}`, "SerializationException")},
		{"wire/a number as the content of a string", refusedWith("PutItem", `{"TableName":"abc","Item":{"PK":{"S":1}}}`, "SerializationException")},
		{"wire/binary that is not Base64", refusedWith("PutItem", `{"TableName":"abc","Item":{"PK":{"B":"***"}}}`, "SerializationException")},
		{"wire/a request without what it must have", refusedWith("GetItem", `{"TableName":"abc"}`, "ValidationException")},
		{"wire/the headers of a reply", headersOfReply},
	}
}

func refusedWith(operation, body, code string) func(p *probe) {
	return func(p *probe) {
		reply, err := p.client.Send(p.ctx, operation, []byte(body))
		require.NoError(p, err)
		got, message := reply.Refusal()
		require.Equal(p, http.StatusBadRequest, reply.Status, message)
		require.Equal(p, code, got, message)
	}
}

func headersOfReply(p *probe) {
	reply, err := p.client.Send(p.ctx, "ListTables", []byte(`{"Limit":1}`))
	require.NoError(p, err)
	require.Equal(p, http.StatusOK, reply.Status)
	require.Equal(p, "application/x-amz-json-1.0", reply.Header.Get("Content-Type"))
	require.Equal(p, strconv.FormatUint(uint64(crc32.ChecksumIEEE(reply.Body)), 10), reply.Header.Get("X-Amz-Crc32"))
	require.NotEmpty(p, reply.Header.Get("X-Amzn-Requestid"))
}
