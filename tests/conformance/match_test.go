package conformance

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// mismatch says in what a reply is not as expected, nothing when it is. It must be the same value, but
//   - an object that expects a member "..." may have members that are not expected;
//   - the value "$any" expects any value, "$digits" any number;
//   - the elements of sets, of Responses by table and of CancellationReasons' items are in no order;
//   - a refusal need only have the members that are expected.
func mismatch(got object, expected string, refusal bool) string {
	var want any
	if err := json.Unmarshal([]byte(expected), &want); err != nil {
		return fmt.Sprintf("the expected reply is not JSON: %v: %s", err, expected)
	}
	if members, isObject := want.(object); isObject && refusal {
		members["..."] = true
	}
	return differ("", got, want)
}

func differ(path string, got, want any) string {
	switch expected := want.(type) {
	case string:
		if expected == "$any" && got != nil {
			return ""
		}
		if _, isNumber := got.(float64); expected == "$digits" && isNumber {
			return ""
		}
	case object:
		if members, isObject := got.(object); isObject {
			return differMembers(path, members, expected)
		}
	case []any:
		if elements, isList := got.([]any); isList {
			return differElements(path, elements, expected)
		}
	}
	if jsonText(got) != jsonText(want) {
		return fmt.Sprintf("at %s: got %s, want %s", path, shortened(jsonText(got)), jsonText(want))
	}
	return ""
}

func differMembers(path string, got, want object) string {
	_, open := want["..."]
	for name := range got {
		if _, expected := want[name]; !expected && !open {
			return fmt.Sprintf("at %s: there is a %s: %s", path, name, shortened(jsonText(got[name])))
		}
	}
	for name, value := range want {
		if name == "..." {
			continue
		}
		if difference := differ(path+"."+name, got[name], value); difference != "" {
			return difference
		}
	}
	return ""
}

func differElements(path string, got, want []any) string {
	if len(got) != len(want) {
		return fmt.Sprintf("at %s: got %d elements, want %d", path, len(got), len(want))
	}
	if isUnordered(path) {
		got, want = inOrder(got), inOrder(want)
	}
	for i := range want {
		if difference := differ(fmt.Sprintf("%s[%d]", path, i), got[i], want[i]); difference != "" {
			return difference
		}
	}
	return ""
}

func isUnordered(path string) bool {
	return strings.HasPrefix(path, ".Responses.") && strings.Count(path, ".") == 2 ||
		strings.HasSuffix(path, ".SS") || strings.HasSuffix(path, ".NS") || strings.HasSuffix(path, ".BS")
}

func inOrder(elements []any) []any {
	return slices.SortedFunc(slices.Values(elements), func(a, b any) int { return strings.Compare(jsonText(a), jsonText(b)) })
}
