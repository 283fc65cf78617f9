package expr

// Kind says what an expression is for; it is also how messages name it.
type Kind string

// The kinds of expression.
const (
	Condition    Kind = "ConditionExpression"
	Filter       Kind = "FilterExpression"
	KeyCondition Kind = "KeyConditionExpression"
	Projection   Kind = "ProjectionExpression"
	Update       Kind = "UpdateExpression"
)

// InvalidError says why an expression is refused, in the words of the service. It becomes a ValidationException.
type InvalidError string

// Error is the message for the client.
func (e InvalidError) Error() string { return string(e) }

// Errors of an update that suits its item no better than its text did.
const (
	ErrMissingOperand = InvalidError("The provided expression refers to an attribute that does not exist in the item")
	ErrOperandType    = InvalidError("An operand in the update expression has an incorrect data type")
	ErrPath           = InvalidError("The document path provided in the update expression is invalid for update")
)

// description is how messages describe the kind, with its article.
func (k Kind) description() string {
	switch k {
	case Condition:
		return "a condition expression"
	case Filter:
		return "a filter expression"
	case KeyCondition:
		return "a key condition expression"
	case Projection:
		return "a projection expression"
	case Update:
		return "an update expression"
	}
	return "an expression"
}

func (k Kind) notAllowed(function string) error {
	return k.invalid("The function is not allowed in " + k.description() + "; function: " + function)
}

// misused is the error of a function in a place for another kind of function.
func (k Kind) misused(function string) error {
	return k.invalid("The function is not allowed to be used this way in an expression; function: " + function)
}

func (k Kind) invalid(message string) error {
	return InvalidError("Invalid " + string(k) + ": " + message)
}

func (k Kind) wrongType(operator, operand string) error {
	return k.invalid("Incorrect operand type for operator or function; operator or function: " + operator + ", operand type: " + operand)
}
