package engine

import (
	"encoding/json"
	"errors"
	"net/http"

	"example.com/keyfirst/internal/engine/attr"
	"example.com/keyfirst/internal/engine/expr"
)

// serviceError is an error of the wire
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html).
type serviceError struct {
	code    string
	message string
	status  int       // 0 is 400
	item    attr.Item // of a failed condition, when it was asked for
	reasons []reason  // of a cancelled transaction
	early   bool      // found before a transaction begins, which it therefore does not cancel
}

// Error is the code and the message.
func (e *serviceError) Error() string { return e.code + ": " + e.message }

func validation(message string) error {
	return &serviceError{code: "ValidationException", message: message}
}

// emptyKey is the validation error of a key without content.
func emptyKey(message string) error {
	return &serviceError{code: "ValidationException", message: message, early: true}
}

// invalidParameter is the validation error of a value that no item may have.
func invalidParameter(message string) error {
	return validation("One or more parameter values were invalid: " + message)
}

// constraint is the validation error of a parameter that breaks the model of the API.
func constraint(value, parameter, rule string) error {
	return validation("1 validation error detected: Value " + value + " at '" + parameter + "' failed to satisfy constraint: " + rule)
}

func missingParameter(parameter string) error {
	return constraint("null", parameter, "Member must not be null")
}

func serialization(message string) error {
	return &serviceError{code: "SerializationException", message: message}
}

func tableNotFound() error {
	return &serviceError{code: "ResourceNotFoundException", message: "Requested resource not found"}
}

func namedTableNotFound(name string) error {
	return &serviceError{code: "ResourceNotFoundException", message: "Requested resource not found: Table: " + name + " not found"}
}

// asServiceError finds the error of the wire for any error of a part of the engine.
func asServiceError(err error) *serviceError {
	if service, ok := errors.AsType[*serviceError](err); ok {
		return service
	}
	if invalid, ok := errors.AsType[attr.InvalidError](err); ok {
		return &serviceError{code: "ValidationException", message: string(invalid)}
	}
	if invalid, ok := errors.AsType[expr.InvalidError](err); ok {
		return &serviceError{code: "ValidationException", message: string(invalid)}
	}
	if malformed, ok := errors.AsType[attr.MalformedError](err); ok {
		return &serviceError{code: "SerializationException", message: string(malformed)}
	}
	return &serviceError{code: "InternalServerError", message: err.Error(), status: http.StatusInternalServerError}
}

type errorBody struct {
	Type    string    `json:"__type"`
	Message string    `json:"message,omitempty"`
	Item    attr.Item `json:"Item,omitempty"`
	Reasons []reason  `json:"CancellationReasons,omitempty"`
}

func errorAnswer(err error) answer {
	service := asServiceError(err)
	body, err := json.Marshal(errorBody{service.namespace() + service.code, service.message, service.item, service.reasons})
	if err != nil {
		body = []byte(`{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError"}`)
	}
	status := service.status
	if status == 0 {
		status = http.StatusBadRequest
	}
	return answer{status: status, body: body}
}

// namespace is the prefix of the code: errors that every AWS service of this protocol has are not DynamoDB's.
func (e *serviceError) namespace() string {
	switch e.code {
	case "ValidationException", "SerializationException", "UnknownOperationException":
		return "com.amazon.coral.service#"
	}
	return "com.amazonaws.dynamodb.v20120810#"
}
