package httpapi

import (
	"cmp"
	"errors"

	"example.com/keyfirst/dal"
)

// The texts that stand for errors of the table.
const (
	messageInternal    = "Something went wrong here. The server's log has more under the request id."
	messageInvalid     = "The request asks for something that cannot be."
	messageThrottled   = "The table is at its capacity. Try again in a moment."
	messageTimeout     = "The operation took too long and was given up."
	messageUnavailable = "The table cannot be reached. Try again in a moment."
	messageUncertain   = "The mutation was given up before its outcome was known. Look at what it was to change before you repeat it."
	messageNoTable     = "The table does not exist yet: `keyfirst table create` makes it."
	messageConflict    = "Another write came first. Try again."
)

// judgeTable turns the data access layer's error into a verdict.
func judgeTable(err error) (verdict, bool) {
	failed, ok := errors.AsType[*dal.Error](err)
	if !ok {
		return verdict{}, false
	}
	switch failed.Kind {
	case dal.KindInvalid:
		return verdict{code: codeBadUserInput, message: cmp.Or(failed.Reason, messageInvalid)}, true
	case dal.KindThrottled:
		return retryable(codeThrottled, messageThrottled), true
	case dal.KindTimeout, dal.KindCanceled:
		return timedOut(), true
	case dal.KindUnavailable:
		return retryable(codeUnavailable, messageUnavailable), true
	case dal.KindNoTable:
		return verdict{code: codeUnavailable, message: messageNoTable, masked: true}, true
	case dal.KindConflict:
		return retryable(codeConflict, messageConflict), true
	case dal.KindInternal, dal.KindCorrupt:
	}
	return internal(), true
}

// retryable is the verdict on what may work the next time.
func retryable(code, message string) verdict {
	return verdict{code: code, message: message, retryable: true, masked: true}
}

// timedOut is the verdict on an operation whose time is over.
func timedOut() verdict { return retryable(codeTimeout, messageTimeout) }

// internal is the verdict on what nobody foresaw.
func internal() verdict { return verdict{code: codeInternal, message: messageInternal, masked: true} }
