package differential

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"example.com/keyfirst/tests/protocol"
)

// reply is what an engine said, in a form that can be compared.
type reply struct {
	code, message string
	body          object // of a success, and what a refusal has beside code and message
}

func newReply(from protocol.Reply) (reply, error) {
	decoder := json.NewDecoder(bytes.NewReader(from.Body))
	decoder.UseNumber()
	var r reply
	if err := decoder.Decode(&r.body); err != nil {
		return reply{}, fmt.Errorf("the reply is not JSON: %w: %q", err, from.Body)
	}
	r.code, r.message = from.Refusal()
	for _, name := range []string{"__type", "message", "Message"} {
		delete(r.body, name)
	}
	return r, nil
}

func (r reply) String() string {
	text, err := json.MarshalIndent(r.body, "", " ")
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(r.code + " " + r.message + " " + string(text))
}

// normalized sorts the elements of sets, which have no order.
func normalized(value any) any {
	switch v := value.(type) {
	case object:
		of := make(object, len(v))
		for name, member := range v {
			elements, isList := member.([]any)
			if isList && len(v) == 1 && (name == "SS" || name == "NS" || name == "BS") {
				if name == "NS" {
					elements = sameNumbers(elements)
				}
				member = sorted(elements)
			}
			if digits, isText := member.(string); name == "N" && isText && len(v) == 1 {
				member = sameNumber(digits)
			}
			of[name] = normalized(member)
		}
		return of
	case []any:
		of := make([]any, len(v))
		for i, element := range v {
			of[i] = normalized(element)
		}
		return of
	}
	return value
}

// sameNumber is equal for the spellings of one number.
func sameNumber(digits string) string {
	if n, ok := new(big.Rat).SetString(digits); ok {
		return n.RatString()
	}
	return digits
}

func sameNumbers(elements []any) []any {
	same := make([]any, len(elements))
	for i, element := range elements {
		same[i] = element
		if digits, isText := element.(string); isText {
			same[i] = sameNumber(digits)
		}
	}
	return same
}

// sorted orders JSON values by their text.
func sorted(values []any) []any {
	return slices.SortedFunc(slices.Values(values), func(a, b any) int { return strings.Compare(jsonText(a), jsonText(b)) })
}

// jsonText is the JSON of a value, with the members of objects in order.
func jsonText(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func integer(of any) int64 {
	n, isNumber := of.(json.Number)
	if !isNumber {
		return 0
	}
	i, err := n.Int64()
	if err != nil {
		return 0
	}
	return i
}
