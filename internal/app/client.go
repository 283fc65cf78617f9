package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	awsconfig "github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/feature/ec2/imds"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/logging"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/internal/config"
)

// What an engine in this process is told; it checks neither.
const (
	embeddedRegion      = "us-east-1"
	embeddedEndpoint    = "http://embedded.invalid"
	embeddedCredentials = "embedded"
)

// embeddedBackoff bounds the wait before a conflict is tried again: in one process it is soon over.
const embeddedBackoff = 20 * time.Millisecond

// endpointRegion is the region that an endpoint is told when no configuration names one; DynamoDB Local takes any.
const endpointRegion = "us-east-1"

// credentialsTimeout bounds the search for credentials at start.
const credentialsTimeout = 10 * time.Second

// newEmbeddedClient makes a client whose requests never leave the process.
func newEmbeddedClient(engine aws.HTTPClient, logger *slog.Logger) *dynamodb.Client {
	cfg := aws.Config{
		Region:      embeddedRegion,
		Credentials: credentials.NewStaticCredentialsProvider(embeddedCredentials, embeddedCredentials, ""),
		HTTPClient:  engine,
		Logger:      sdkLogger{logger},
	}
	return dal.NewClient(cfg, withoutChecksums, func(o *dynamodb.Options) {
		o.BaseEndpoint = aws.String(embeddedEndpoint)
		o.Retryer = retry.AddWithMaxBackoffDelay(o.Retryer, embeddedBackoff)
	})
}

// newEndpointClient makes a client of what is at an endpoint. It never asks for the role of an EC2 instance: that
// takes long where there is none, which is wherever DynamoDB Local runs.
func newEndpointClient(ctx context.Context, s config.Store, logger *slog.Logger) (*dynamodb.Client, error) {
	cfg, err := loadConfig(ctx, s, logger,
		awsconfig.WithEC2IMDSClientEnableState(imds.ClientDisabled), awsconfig.WithDefaultRegion(endpointRegion))
	if err != nil {
		return nil, err
	}
	if err := checkCredentials(ctx, cfg); err != nil {
		return nil, fmt.Errorf("no AWS credentials for %s (for DynamoDB Local any will do: AWS_ACCESS_KEY_ID=local "+
			"AWS_SECRET_ACCESS_KEY=local): %w", s.Endpoint, err)
	}
	return dal.NewClient(cfg, buffered, withoutChecksums, func(o *dynamodb.Options) {
		o.BaseEndpoint = aws.String(s.Endpoint)
	}), nil
}

// newServiceClient makes a client of DynamoDB itself.
func newServiceClient(ctx context.Context, s config.Store, logger *slog.Logger) (*dynamodb.Client, error) {
	cfg, err := loadConfig(ctx, s, logger)
	if err != nil {
		return nil, err
	}
	if cfg.Region == "" {
		return nil, errors.New("no AWS region: set --region or AWS_REGION")
	}
	if err := checkCredentials(ctx, cfg); err != nil {
		return nil, fmt.Errorf("no AWS credentials: %w", err)
	}
	return dal.NewClient(cfg, buffered), nil
}

// loadConfig reads the standard configuration of AWS: its variables, its files, and its sources of credentials.
func loadConfig(
	ctx context.Context, s config.Store, logger *slog.Logger, more ...func(*awsconfig.LoadOptions) error,
) (aws.Config, error) {
	options := append([]func(*awsconfig.LoadOptions) error{
		awsconfig.WithHTTPClient(newHTTPClient()), awsconfig.WithLogger(sdkLogger{logger}),
	}, more...)
	if s.Region != "" {
		options = append(options, awsconfig.WithRegion(s.Region))
	}
	cfg, err := awsconfig.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return aws.Config{}, fmt.Errorf("the AWS configuration cannot be read: %w", err)
	}
	return cfg, nil
}

func checkCredentials(ctx context.Context, cfg aws.Config) error {
	ctx, cancel := context.WithTimeout(ctx, credentialsTimeout)
	defer cancel()
	_, err := cfg.Credentials.Retrieve(ctx)
	return err
}

// The HTTP client's bounds. An operation brings its own deadline; these are for what has none.
const (
	dialTimeout           = 3 * time.Second
	responseHeaderTimeout = 20 * time.Second
	// maxIdleConns keeps the connections of a burst: the default of 10 a host would close and open them all the time.
	maxIdleConns = 512
)

// newHTTPClient is of the SDK's own kind, which takes certificates over from the AWS configuration.
func newHTTPClient() *awshttp.BuildableClient {
	return awshttp.NewBuildableClient().
		WithDialerOptions(func(d *net.Dialer) { d.Timeout = dialTimeout }).
		WithTransportOptions(func(t *http.Transport) {
			t.ResponseHeaderTimeout = responseHeaderTimeout
			t.MaxIdleConns, t.MaxIdleConnsPerHost = maxIdleConns, maxIdleConns
		})
}

// sdkLogger passes on what the SDK has to say, which would go to standard error in a form of its own.
type sdkLogger struct{ *slog.Logger }

// Logf implements logging.Logger.
func (l sdkLogger) Logf(class logging.Classification, format string, args ...any) {
	log := l.Debug
	if class == logging.Warn {
		log = l.Warn
	}
	log("the AWS SDK says", "text", fmt.Sprintf(format, args...))
}

// withoutChecksums is for engines that need not send any: the SDK takes a checksum that is missing for one of 0, and
// warns of every reply. It never does more than warn.
func withoutChecksums(o *dynamodb.Options) { o.DisableValidateResponseChecksum = true }

// buffered has the client's replies buffered.
func buffered(o *dynamodb.Options) { o.HTTPClient = bufferedClient{o.HTTPClient} }

// bufferedClient reads a reply to its end before it hands it on. The SDK closes the body of a request while net/http
// may still write it, and then a reply that is not read yet fails with "use of closed network connection".
type bufferedClient struct{ aws.HTTPClient }

// Do implements aws.HTTPClient.
func (c bufferedClient) Do(r *http.Request) (*http.Response, error) {
	resp, err := c.HTTPClient.Do(r)
	if err != nil {
		return nil, err
	}
	body := bytes.NewBuffer(make([]byte, 0, max(resp.ContentLength, 0)+bytes.MinRead))
	_, err = body.ReadFrom(resp.Body)
	if closeErr := resp.Body.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return nil, fmt.Errorf("read the reply: %w", err)
	}
	resp.Body = io.NopCloser(body)
	return resp, nil
}
