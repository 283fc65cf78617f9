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
		o.MaxBackoff = maxBackoff
		o.RateLimiter = ratelimit.None
		o.Retryables = append(o.Retryables, retry.IsErrorRetryableFunc(retryableCancellation))
	})
}

// retryableCancellation retries a transaction that was cancelled for nothing but conflicts and throttling. The same
// ClientRequestToken goes out again, so it cannot be applied twice.
func retryableCancellation(err error) aws.Ternary {
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
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
	var exhausted *retry.MaxAttemptsError
	if errors.As(err, &exhausted) {
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
	var (
		own *Error
		api smithy.APIError
		net net.Error
	)
	switch {
	case errors.As(err, &own):
		return own.Kind
	case errors.Is(err, context.DeadlineExceeded):
		return KindTimeout
	case errors.Is(err, context.Canceled):
		return KindCanceled
	case errors.As(err, &api):
		return kindOfAPI(api)
	case errors.As(err, &net) && net.Timeout():
		return KindTimeout
	}
	var send *smithy.OperationError
	if errors.As(err, &send) && retry.IsErrorRetryables(retry.DefaultRetryables).IsErrorRetryable(err) == aws.TrueTernary {
		return KindUnavailable
	}
	return KindInternal
}

func kindOfAPI(err smithy.APIError) Kind {
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
	if err.ErrorFault() == smithy.FaultServer {
		return KindUnavailable
	}
	return KindInternal
}

func kindOfCancellation(err error) Kind {
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
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
