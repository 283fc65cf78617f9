package app

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/logging"
	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/config"
)

func get(t *testing.T, url string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	return r
}

func TestRepliesAreBuffered(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("x", 100_000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }))
	resp, err := bufferedClient{newHTTPClient()}.Do(get(t, server.URL))
	require.NoError(t, err)
	server.Close() // what comes now is in memory
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, text, string(body))
}

func TestACutReplyIsAnError(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "short")
	}))
	t.Cleanup(server.Close)
	resp, err := bufferedClient{newHTTPClient()}.Do(get(t, server.URL)) //nolint:bodyclose // there is no response
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Nil(t, resp)
}

// withoutAWS hides whatever AWS configuration the machine has.
func withoutAWS(t *testing.T) {
	t.Helper()
	nowhere := filepath.Join(t.TempDir(), "none")
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_SESSION_TOKEN": "", "AWS_PROFILE": "",
		"AWS_REGION": "", "AWS_DEFAULT_REGION": "", "AWS_WEB_IDENTITY_TOKEN_FILE": "", "AWS_ROLE_ARN": "",
		"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "", "AWS_CONTAINER_CREDENTIALS_FULL_URI": "",
		"AWS_CONFIG_FILE": nowhere, "AWS_SHARED_CREDENTIALS_FILE": nowhere,
	} {
		t.Setenv(name, value)
	}
}

func TestAnEndpointWithoutCredentialsIsToldAtOnce(t *testing.T) {
	withoutAWS(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second) // asking for an instance's role would take longer
	defer cancel()
	_, err := newEndpointClient(ctx, config.Store{Kind: config.StoreEndpoint, Endpoint: "http://127.0.0.1:8000"}, slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "no AWS credentials for http://127.0.0.1:8000")
	require.ErrorContains(t, err, "AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local")
	require.NoError(t, ctx.Err())
}

func TestRegions(t *testing.T) {
	for name, c := range map[string]struct {
		aws, flag, want string
	}{
		"none":          {"", "", "us-east-1"},
		"AWS_REGION":    {"eu-north-1", "", "eu-north-1"},
		"the flag wins": {"eu-north-1", "eu-west-1", "eu-west-1"},
	} {
		t.Run(name, func(t *testing.T) {
			withoutAWS(t)
			t.Setenv("AWS_ACCESS_KEY_ID", "local")
			t.Setenv("AWS_SECRET_ACCESS_KEY", "local")
			t.Setenv("AWS_REGION", c.aws)
			client, err := newEndpointClient(t.Context(), config.Store{
				Kind: config.StoreEndpoint, Endpoint: "http://127.0.0.1:8000", Region: c.flag,
			}, slog.New(slog.DiscardHandler))
			require.NoError(t, err)
			require.Equal(t, c.want, client.Options().Region)
			require.Equal(t, "http://127.0.0.1:8000", *client.Options().BaseEndpoint)
		})
	}
}

func TestAWSWithoutARegion(t *testing.T) {
	withoutAWS(t)
	_, err := newServiceClient(t.Context(), config.Store{Kind: config.StoreAWS}, slog.New(slog.DiscardHandler))
	require.EqualError(t, err, "no AWS region: set --region or AWS_REGION")
}

func TestAWS(t *testing.T) {
	withoutAWS(t)
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	client, err := newServiceClient(t.Context(), config.Store{Kind: config.StoreAWS, Region: "eu-west-1"}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.Equal(t, "eu-west-1", client.Options().Region)
	require.Nil(t, client.Options().BaseEndpoint)
	require.IsType(t, bufferedClient{}, client.Options().HTTPClient)
}

// TestAReplyWithoutAChecksum is what DynamoDB Local sends with some errors; the SDK warned of each.
func TestAReplyWithoutAChecksum(t *testing.T) {
	withoutAWS(t)
	t.Setenv("AWS_ACCESS_KEY_ID", "local")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "local")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"}`)
	}))
	t.Cleanup(server.Close)
	var log bytes.Buffer
	client, err := newEndpointClient(t.Context(), config.Store{Kind: config.StoreEndpoint, Endpoint: server.URL},
		slog.New(slog.NewTextHandler(&log, nil)))
	require.NoError(t, err)
	_, err = client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("keyfirst")})
	var missing *types.ResourceNotFoundException
	require.ErrorAs(t, err, &missing)
	require.Empty(t, log.String())
}

func TestTheSDKLogsAsWeDo(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	logger := sdkLogger{slog.New(slog.NewTextHandler(&log, nil))}
	logger.Logf(logging.Debug, "quiet")
	logger.Logf(logging.Warn, "%d tries", 3)
	require.Contains(t, log.String(), `level=WARN msg="the AWS SDK says" text="3 tries"`)
	require.NotContains(t, log.String(), "quiet")
}
