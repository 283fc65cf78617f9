package attr

// InvalidError says why a value is not acceptable, in the words of the service. It becomes a ValidationException.
type InvalidError string

// Error is the message for the client.
func (e InvalidError) Error() string { return string(e) }

// MalformedError says that the JSON of a value has the wrong shape. It becomes a SerializationException.
type MalformedError string

// Error is the message for the client.
func (e MalformedError) Error() string { return string(e) }
