package differential

import (
	"regexp"
	"slices"
	"strings"
)

// difference is one in which DynamoDB Local is not to be followed, or where an engine may do as it likes.
type difference struct {
	reason string
	// applies tells whether the request and the replies are of the kind.
	applies func(r request, ours, theirs outcome) bool
	// ignored are the members of the outcome that are not compared then. Without any, nothing is.
	ignored []string
}

// differences are those known. What the service documents, the conformance suite tests on its own; "it" is DynamoDB Local.
func differences() []difference {
	return slices.Concat(differencesOfRefusals(), differencesOfReplies(), differencesOfCapacity())
}

func differencesOfRefusals() []difference {
	return []difference{
		{
			reason:  "it fails on some requests that the service refuses or carries out, such as UPDATED_OLD without an update",
			applies: func(_ request, _, theirs outcome) bool { return theirs.pages[0].code == "InternalFailure" },
		},
		{
			reason: "it scans an index with a filter on what the index does not have: a query it refuses, and so do we with both",
			applies: func(r request, ours, _ outcome) bool {
				return r.operation == "Scan" && strings.Contains(ours.pages[0].message, "does not project one or more filter attributes")
			},
		},
		{
			reason:  "it refuses a path that leads into a key: we find nothing there, as in any other scalar",
			applies: func(_ request, _, theirs outcome) bool { return theirs.says("Key attributes must be scalars") },
		},
		{
			reason: "it needs the second operand of if_not_exists even where the first is there",
			applies: func(r request, _, theirs outcome) bool {
				return strings.Contains(jsonText(theirs.pages[0].body)+theirs.pages[0].message, "The provided expression refers to an attribute that does not exist in the item") &&
					strings.Contains(jsonText(r.parameters), "if_not_exists")
			},
		},
		{
			reason: "it stores a value of the wrong type under the key of an index when an update makes it: the service refuses that",
			applies: func(_ request, ours, _ outcome) bool {
				return strings.Contains(jsonText(ours.pages[0].body)+ours.pages[0].message, "The update expression attempted to update the secondary index key to unsupported type")
			},
		},
		{
			reason: "it checks conditions before it looks for an item that comes twice in a transaction, and takes 1 and 1.0 for two",
			applies: func(r request, ours, _ outcome) bool {
				return r.operation == "TransactWriteItems" && ours.says("Transaction request cannot include multiple operations on one item")
			},
		},
		{
			reason: "it looks for conditions that fail before it looks at keys, and refuses a transaction for an update that does not suit its item: the service cancels it with the reason ValidationError",
			applies: func(r request, ours, theirs outcome) bool {
				return r.operation == "TransactWriteItems" && ours.cancelledFor("ValidationError") && theirs.refused()
			},
		},
		{
			reason: "it checks the keys of a transactional read before its expressions, and cancels it without a reason",
			applies: func(r request, ours, theirs outcome) bool {
				return r.operation == "TransactGetItems" && ours.refused() && theirs.refused()
			},
		},
	}
}

func differencesOfReplies() []difference {
	return []difference{
		{
			reason: "it ends the message of a condition that failed in a transaction with a full stop",
			applies: func(r request, ours, theirs outcome) bool {
				return r.operation == "TransactWriteItems" && ours.refused() && theirs.refused()
			},
			ignored: []string{"body"},
		},
		{
			reason: "it returns the whole attribute when an update changes a part of it: the service returns that part",
			applies: func(r request, _, _ outcome) bool {
				return r.operation == "UpdateItem" && slices.Contains([]any{"UPDATED_NEW", "UPDATED_OLD"}, r.parameters["ReturnValues"])
			},
			ignored: []string{"Attributes"},
		},
	}
}

func differencesOfCapacity() []difference {
	return []difference{
		{
			reason:  "it charges nothing for reading nothing: the service charges the least that a read costs",
			applies: func(r request, ours, _ outcome) bool { return isRead(r) && !ours.refused() && ours.mayReadNothing() },
			ignored: []string{"capacity", "ConsumedCapacity"},
		},
		{
			reason:  "it names the units of transactional reads for the sum, and not for the table",
			applies: func(r request, _, _ outcome) bool { return r.operation == "TransactGetItems" },
			ignored: []string{"ConsumedCapacity"},
		},
		{
			reason: "it charges four units for a write of a transaction, and two for a deletion of a batch: the service charges two and one",
			applies: func(r request, _, _ outcome) bool {
				return r.operation == "TransactWriteItems" || r.operation == "BatchWriteItem"
			},
			ignored: []string{"ConsumedCapacity"},
		},
		{
			reason: "it tells the capacity of a deletion without being asked",
			applies: func(r request, _, _ outcome) bool {
				return r.operation == "DeleteItem" && slices.Contains([]any{nil, "NONE"}, r.parameters["ReturnConsumedCapacity"])
			},
			ignored: []string{"ConsumedCapacity"},
		},
		{
			reason: "it charges an index for an item that has only one of its keys, before and after",
			applies: func(r request, _, _ outcome) bool {
				item, isItem := r.parameters["Item"].(object)
				return isItem && (item[globalHash] == nil || item[globalSort] == nil)
			},
			ignored: []string{"ConsumedCapacity"},
		},
		{
			reason:  "it forgets what a scan of a local index fetches from the table, and charges a query for fetching what it need not",
			applies: func(r request, _, _ outcome) bool { return r.parameters["IndexName"] == "local" },
			ignored: []string{"capacity"},
		},
	}
}

func isRead(r request) bool {
	return slices.Contains([]string{"GetItem", "Query", "Scan", "BatchGetItem", "TransactGetItems"}, r.operation)
}

// sameWords tells whether messages say the same. A request can be wrong in more than one way, and which one an engine finds
// first is its own affair: messages about different faults are not compared.
func sameWords(ours, theirs string) bool {
	return kindOfFault(ours) != kindOfFault(theirs) || worded(ours) == worded(theirs)
}

// kindOfFault is what a message says before it comes to what is in the request.
func kindOfFault(message string) string {
	message = strings.TrimPrefix(message, "One or more parameter values were invalid: ")
	if strings.HasPrefix(message, "Invalid ") {
		_, message, _ = strings.Cut(message, ": ")
	}
	if i := strings.IndexAny(message, ":;[{"); i >= 0 {
		message = message[:i]
	}
	return message
}

// worded is a message without what differs between DynamoDB Local and the service, from one run to the next, or with the
// fault that is found first.
func worded(message string) string {
	for _, rule := range []struct{ from, to string }{
		{`^Invalid \w+: `, ""},                                   // there may be a fault in two expressions
		{`^One or more parameter values were invalid: `, ""},     // it leaves the start away
		{`valid types: \{.*\}`, "valid types"},                   // a set, in no order
		{`does not project .*`, "does not project"},              // a set, in no order
		{`\{[BN]:[^}]*\}`, "{}"},                                 // it shows a Java class, and a number as it was spelled
		{`path one: .*`, "path one"},                             // it shows other paths
		{`(attribute name|attribute value|keyword): .*`, "name"}, // there may be two
		{`(operator( or function)?|operand type): .*`, "operand"},
		{`(?s)token: .*`, "token"},                             // it cuts tokens elsewhere
		{`using expressions: .* null$`, "using expressions"},   // it names those that are missing
		{`Primary key attribute: .*`, "Primary key attribute"}, // there may be two
		{`contains duplicates\.$`, "contains duplicates"},
		{`Type mismatch for (key|Index Key).*`, "Type mismatch for key"}, // it names no attribute
	} {
		message = regexp.MustCompile(rule.from).ReplaceAllString(message, rule.to)
	}
	return message
}
