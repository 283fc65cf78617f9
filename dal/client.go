package dal

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// The DynamoDB operations that serve requests.
const (
	opGetItem       = "GetItem"
	opBatchGetItem  = "BatchGetItem"
	opQuery         = "Query"
	opTransactWrite = "TransactWriteItems"
)

// The bounds of one request's retries.
const (
	maxAttempts = 4
	minBackoff  = 25 * time.Millisecond
	maxBackoff  = time.Second
)

// NewClient makes a DynamoDB client that retries what is safe to retry, at most three times, with jitter. The bound is
// each request's own: the SDK's shared token bucket would let a burst of requests exhaust it for all.
func NewClient(cfg aws.Config, options ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.NewFromConfig(cfg, append([]func(*dynamodb.Options){func(o *dynamodb.Options) {
		o.Retryer = newRetryer()
	}}, options...)...)
}

func newRetryer() aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = maxAttempts
		o.BaseDelay, o.MaxBackoff = minBackoff, maxBackoff
		o.RateLimiter = ratelimit.None
		o.Retryables = append(o.Retryables, retry.IsErrorRetryableFunc(retryableCancellation))
	})
}

// retryableCancellation retries a transaction that was cancelled for nothing but conflicts and throttling. The same
// ClientRequestToken goes out again, so it cannot be applied twice.
func retryableCancellation(err error) aws.Ternary {
	cancelled, ok := errors.AsType[*types.TransactionCanceledException](err)
	if !ok {
		return aws.UnknownTernary
	}
	for _, reason := range cancelled.CancellationReasons {
		switch aws.ToString(reason.Code) {
		case "None", "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded", "":
		default:
			return aws.FalseTernary
		}
	}
	return aws.TrueTernary
}

// retriesOf is how often the SDK sent a request again before it answered.
func retriesOf(metadata middleware.Metadata) int {
	attempts, ok := retry.GetAttemptResults(metadata)
	if !ok || len(attempts.Results) == 0 {
		return 0
	}
	return len(attempts.Results) - 1
}

// retriesOfError is the same for a request that failed in the end.
func retriesOfError(err error) int {
	if exhausted, ok := errors.AsType[*retry.MaxAttemptsError](err); ok {
		return exhausted.Attempt - 1
	}
	return 0
}

// wrap turns any error of the SDK into an [Error]; it is the only place that looks at one.
func wrap(op string, key Key, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Op: op, Kind: kindOf(err), Key: key, Err: err}
}

func kindOf(err error) Kind {
	if own, ok := errors.AsType[*Error](err); ok {
		return own.Kind
	}
	if api, ok := errors.AsType[smithy.APIError](err); ok {
		if kind := kindOfCode(api); kind != KindInternal {
			return kind
		}
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return KindTimeout
	case errors.Is(err, context.Canceled):
		return KindCanceled
	}
	return kindOfTransport(err)
}

func kindOfCode(err smithy.APIError) Kind {
	switch err.ErrorCode() {
	case "ResourceNotFoundException":
		return KindNoTable
	case "ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded", "LimitExceededException":
		return KindThrottled
	case "TransactionConflictException", "TransactionInProgressException":
		return KindConflict
	case "TransactionCanceledException":
		return kindOfCancellation(err)
	case "InternalServerError", "ServiceUnavailable":
		return KindUnavailable
	}
	return KindInternal
}

// kindOfTransport tells by what happened on the way: the status of an answer that has no code we know, a connection
// that could not be made or broke, a wait that took too long.
func kindOfTransport(err error) Kind {
	if answer, ok := errors.AsType[interface {
		error
		HTTPStatusCode() int
	}](err); ok {
		switch status := answer.HTTPStatusCode(); {
		case status == statusTooManyRequests:
			return KindThrottled
		case status >= statusServerError:
			return KindUnavailable
		}
	}
	if wait, ok := errors.AsType[net.Error](err); ok && wait.Timeout() {
		return KindTimeout
	}
	_, unsent := errors.AsType[*smithyhttp.RequestSendError](err)
	if unsent || retry.IsErrorRetryables(retry.DefaultRetryables).IsErrorRetryable(err) == aws.TrueTernary {
		return KindUnavailable
	}
	return KindInternal
}

// The HTTP statuses that mean something whatever the code says.
const (
	statusTooManyRequests = 429
	statusServerError     = 500
)

func kindOfCancellation(err error) Kind {
	cancelled, ok := errors.AsType[*types.TransactionCanceledException](err)
	if !ok {
		return KindInternal
	}
	for _, reason := range cancelled.CancellationReasons {
		switch aws.ToString(reason.Code) {
		case "ThrottlingError", "ProvisionedThroughputExceeded":
			return KindThrottled
		case "TransactionConflict", "ConditionalCheckFailed":
			return KindConflict
		}
	}
	return KindInternal
}
