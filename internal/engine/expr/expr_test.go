package expr_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/engine/attr"
	"example.com/keyfirst/internal/engine/expr"
)

func item(tb testing.TB, text string) attr.Item {
	tb.Helper()
	it, err := attr.Decode([]byte(text))
	require.NoError(tb, err)
	return it
}

// example is the item that expressions work on.
const example = `{"x":{"N":"10"},"s":{"S":"hello"},"u":{"S":"é😀"},"l":{"L":[{"S":"a"},{"N":"2"},{"S":"c"}]},"ss":{"SS":["r","g"]},
	"m":{"M":{"k":{"S":"v"},"n":{"M":{"z":{"N":"1"}}}}},"bin":{"B":"AQID"},"nul":{"NULL":true},"b":{"BOOL":true},"dotted.name":{"S":"d"}}`

func holders(tb testing.TB, values string) *expr.Placeholders {
	tb.Helper()
	if values == "" {
		values = "{}"
	}
	h, err := expr.NewPlaceholders(map[string]string{"#s": "s", "#d": "dotted.name", "#sx": "x"}, item(tb, values))
	require.NoError(tb, err)
	return h
}

func TestPredicates(t *testing.T) {
	const v = `{":v":{"N":"10"},":w":{"S":"hello"},":a":{"N":"9"},":b":{"N":"11"},":h":{"S":"hel"},":l":{"S":"l"},":r":{"S":"r"},":two":{"N":"2"},
		":three":{"N":"3"},":type":{"S":"NULL"},":map":{"M":{"k":{"S":"v"}}},":t":{"BOOL":true},":d":{"S":"d"},":bytes":{"B":"AQI="},":set":{"SS":["g","r"]}}`
	for text, want := range map[string]bool{
		"attribute_exists(x)":                       true,
		"attribute_exists(m.n.z)":                   true,
		"attribute_exists(m.z)":                     false,
		"attribute_exists(l[2])":                    true,
		"attribute_exists(l[3])":                    false,
		"attribute_not_exists(nope)":                true,
		"x = :v":                                    true,
		"x <> :a":                                   true,
		"x < :b AND x > :a AND x <= :v AND x >= :v": true,
		"x < :w":              false,
		"nope = :v":           false,
		"nope <> :v":          true,
		"NOT nope < :v":       true,
		"x BETWEEN :a AND :b": true,
		"x BETWEEN :a AND :b AND attribute_exists(s)": true,
		"x IN (:a, :b, :v)":                           true,
		"NOT x IN (:a, :b)":                           true,
		":w IN (x, s)":                                true,
		"begins_with(s, :h)":                          true,
		"begins_with(bin, :bytes)":                    true,
		"begins_with(x, :h)":                          false,
		"contains(s, :l)":                             true,
		"contains(ss, :r)":                            true,
		"contains(l, :two)":                           true,
		"contains(l, :v)":                             false,
		"contains(bin, :bytes)":                       true,
		"attribute_type(nul, :type)":                  true,
		"attribute_type(x, :type)":                    false,
		"size(l) = :three AND size(bin) = :three":     true,
		"size(u) = :three":                            true,
		"size(ss) BETWEEN :two AND :three":            true,
		"size(x) > :two":                              false,
		"ss = :set":                                   true,
		"b = :t":                                      true,
		"#d = :d":                                     true,
		"#s=:w and(#sx=:v)":                           true,
		"x = :a OR x = :v AND s = :w":                 true,
		"(x = :a OR x = :v) AND s = :d":               false,
		"NOT (x = :a OR s = :w)":                      false,
		"m.k = :d OR l[0] = :d OR NOT m = :map":       true,
		"(x = :v) AND ((s = :w) OR (s = :d))":         true,
	} {
		p, err := expr.ParsePredicate(expr.Condition, text, holders(t, v))
		require.NoError(t, err, text)
		require.Equal(t, want, p.Holds(item(t, example)), text)
	}
}

func TestPredicateOfNoItem(t *testing.T) {
	p, err := expr.ParsePredicate(expr.Condition, "attribute_not_exists(x) AND NOT begins_with(s, :h)", holders(t, `{":h":{"S":"h"}}`))
	require.NoError(t, err)
	require.True(t, p.Holds(nil))
	require.Equal(t, []string{"x", "s"}, p.Attributes())
}

func TestPredicateErrors(t *testing.T) {
	const v = `{":v":{"N":"10"},":w":{"S":"hello"},":t":{"BOOL":true},":a":{"N":"9"}}`
	for text, want := range map[string]string{
		"":                                "The expression can not be empty;",
		"x = ":                            `Syntax error; token: "<EOF>", near: "= "`,
		"x == :v":                         `Syntax error; token: "=", near: "==`,
		"x & :v":                          `Syntax error; token: "&", near: "x & :v"`,
		"ä = :v":                          `Syntax error; token: "ä", near: "ä ="`,
		"x = :v AND":                      `Syntax error; token: "<EOF>", near: "AND"`,
		"x = :v y":                        `Syntax error; token: "y"`,
		"x IN (:v":                        `Syntax error; token: "<EOF>", near: ":v"`,
		"l[y] = :v":                       `Syntax error; token: "y", near: "[y]"`,
		"l[99999999999] = :v":             "List index is not within the allowable range",
		"status = :v":                     "Attribute name is a reserved keyword; reserved keyword: status",
		"m.Date = :v":                     "Attribute name is a reserved keyword; reserved keyword: Date",
		"#q = :v":                         "An expression attribute name used in the document path is not defined; attribute name: #q",
		"x = :q":                          "An expression attribute value used in expression is not defined; attribute value: :q",
		"nofunc(x)":                       "Invalid function name; function: nofunc",
		"nofunc(x) = :v":                  "Invalid function name; function: nofunc",
		"if_not_exists(x, :v)":            "The function is not allowed in a condition expression; function: if_not_exists",
		"size(x)":                         "The function is not allowed to be used this way in an expression; function: size",
		"x = attribute_exists(x)":         "The function is not allowed to be used this way in an expression; function: attribute_exists",
		"size(:v) = :v":                   "operator or function: size, operand type: N",
		"size(x, s) = :v":                 "Incorrect number of operands for operator or function; operator or function: size, number of operands: 2",
		"begins_with(s)":                  "Incorrect number of operands for operator or function; operator or function: begins_with, number of operands: 1",
		"begins_with(s, :v)":              "operator or function: begins_with, operand type: N",
		"begins_with(s, size(x))":         "operator or function: begins_with, operand type: N",
		"size(size(s)) = :v":              "operator or function: size, operand type: N",
		":t BETWEEN x AND s":              "operator or function: BETWEEN, operand type: BOOL",
		"attribute_exists(:v)":            "Operator or function requires a document path; operator or function: attribute_exists",
		"attribute_type(x, :w)":           "Invalid attribute type name found; type: hello",
		"attribute_type(x, :v)":           "operator or function: attribute_type, operand type: N",
		"x < :t":                          "operator or function: <, operand type: BOOL",
		"x = x":                           "operator: =, first operand: [x]",
		"m.k IN (:w, m.k)":                "operator: IN, first operand: [m, k]",
		"x BETWEEN :v AND :a":             "upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:10}, upper bound operand: AttributeValue: {N:9}",
		"x BETWEEN :v AND :w":             "requires same data type for lower and upper bounds",
		"((x = :v))":                      "The expression has redundant parentheses;",
		"x = :v AND ((x = :v OR s = :w))": "The expression has redundant parentheses;",
		"x IN (" + strings.Repeat(":v,", 100) + ":v)":       "The IN operator is provided with too many operands; number of operands: 101",
		strings.Repeat("x = :v OR ", 300) + "x = :v":        "The expression contains too many operators",
		"x = :v" + strings.Repeat(" ", expr.MaxSize):        "Expression size has exceeded the maximum allowed size; expression size: 4102",
		"x" + strings.Repeat(".y", attr.MaxDepth) + " = :v": "The document path has too many nesting elements",
	} {
		_, err := expr.ParsePredicate(expr.Condition, text, holders(t, v))
		var invalid expr.InvalidError
		require.ErrorAs(t, err, &invalid, text)
		require.Contains(t, err.Error(), "Invalid ConditionExpression: ")
		require.Contains(t, err.Error(), want)
	}
}

func TestUpdates(t *testing.T) {
	const v = `{":n":{"N":"5"},":s":{"S":"new"},":l":{"L":[{"S":"d"}]},":e":{"L":[]},":set":{"SS":["b","r"]},":all":{"SS":["g","r"]}}`
	for text, changes := range map[string]string{
		"SET x = :n":                                    `{"x":{"N":"5"}}`,
		"SET x = s, s = x":                              `{"x":{"S":"hello"},"s":{"N":"10"}}`,
		"SET x = x + :n":                                `{"x":{"N":"15"}}`,
		"SET x = (:n - x)":                              `{"x":{"N":"-5"}}`,
		"SET z = if_not_exists(z, :n) + :n":             `{"z":{"N":"10"}}`,
		"SET x = if_not_exists(x, nope)":                `{}`,
		"SET l = list_append(l, :l)":                    `{"l":{"L":[{"S":"a"},{"N":"2"},{"S":"c"},{"S":"d"}]}}`,
		"SET z = list_append(if_not_exists(z, :e), :l)": `{"z":{"L":[{"S":"d"}]}}`,
		"SET l[1] = :s":                                 `{"l":{"L":[{"S":"a"},{"S":"new"},{"S":"c"}]}}`,
		"SET l[9] = :s, l[7] = :n":                      `{"l":{"L":[{"S":"a"},{"N":"2"},{"S":"c"},{"N":"5"},{"S":"new"}]}}`,
		"SET m.n.z = m.n.z + :n, m.fresh = :s":          `{"m":{"M":{"k":{"S":"v"},"n":{"M":{"z":{"N":"6"}}},"fresh":{"S":"new"}}}}`,
		"REMOVE l[0], l[2]":                             `{"l":{"L":[{"N":"2"}]}}`,
		"REMOVE l[7], m.nope, zzz":                      `{}`,
		"REMOVE m.n.z":                                  `{"m":{"M":{"k":{"S":"v"},"n":{"M":{}}}}}`,
		"REMOVE x, s":                                   `{"x":null,"s":null}`,
		"ADD x :n, z :n":                                `{"x":{"N":"15"},"z":{"N":"5"}}`,
		"ADD ss :set":                                   `{"ss":{"SS":["b","g","r"]}}`,
		"ADD z :set":                                    `{"z":{"SS":["b","r"]}}`,
		"ADD m.n.z :n":                                  `{"m":{"M":{"k":{"S":"v"},"n":{"M":{"z":{"N":"6"}}}}}}`,
		"DELETE ss :set":                                `{"ss":{"SS":["g"]}}`,
		"DELETE ss :all":                                `{"ss":null}`,
		"DELETE z :set":                                 `{}`,
		"SET x = :n REMOVE s ADD z :n DELETE ss :set":   `{"x":{"N":"5"},"s":null,"z":{"N":"5"},"ss":{"SS":["g"]}}`,
		"set x=:n\n\tremove s":                          `{"x":{"N":"5"},"s":null}`,
		"SET #d = :s":                                   `{"dotted.name":{"S":"new"}}`,
	} {
		u, err := expr.ParseUpdate(text, holders(t, v))
		require.NoError(t, err, text)
		before := item(t, example)
		got, err := u.Apply(before)
		require.NoError(t, err, text)
		require.True(t, changed(t, changes).Equal(got), "%s: %s", text, got.AppendJSON(nil))
		require.True(t, item(t, example).Equal(before), "the item given must not change")
	}
}

// changed is the example with some attributes replaced, or removed by null.
func changed(t *testing.T, changes string) attr.Item {
	t.Helper()
	it := item(t, example)
	var by map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(changes), &by))
	for name, raw := range by {
		if string(raw) == "null" {
			delete(it, name)
			continue
		}
		var v attr.Value
		require.NoError(t, json.Unmarshal(raw, &v))
		it[name] = v
	}
	return it
}

func TestUpdatesThatDoNotSuitTheItem(t *testing.T) {
	const v = `{":n":{"N":"5"},":s":{"S":"new"},":set":{"SS":["b"]},":big":{"N":"1E125"}}`
	for text, want := range map[string]string{
		"SET z = nope":              string(expr.ErrMissingOperand),
		"SET z = nope + :n":         string(expr.ErrMissingOperand),
		"SET x = x + s":             string(expr.ErrOperandType),
		"SET l = list_append(l, x)": string(expr.ErrOperandType),
		"ADD s :n":                  string(expr.ErrOperandType),
		"ADD x :set":                string(expr.ErrOperandType),
		"DELETE x :set":             string(expr.ErrOperandType),
		"SET nope.k = :n":           string(expr.ErrPath),
		"SET x.k = :n":              string(expr.ErrPath),
		"SET m[0] = :n":             string(expr.ErrPath),
		"SET l.k = :n":              string(expr.ErrPath),
		"REMOVE nope.k":             string(expr.ErrPath),
		"DELETE nope.k :set":        string(expr.ErrPath),
		"SET x = x + :big":          "more than 38 significant digits",
	} {
		u, err := expr.ParseUpdate(text, holders(t, v))
		require.NoError(t, err, text)
		_, err = u.Apply(item(t, example))
		require.ErrorContains(t, err, want, text)
	}
}

func TestUpdateErrors(t *testing.T) {
	const v = `{":n":{"N":"5"},":s":{"S":"new"},":b":{"BOOL":true}}`
	for text, want := range map[string]string{
		"":                              "The expression can not be empty;",
		"x = :n":                        `Syntax error; token: "x"`,
		"SET":                           `Syntax error; token: "<EOF>"`,
		"SET x = :n SET z = :n":         `The "SET" section can only be used once in an update expression;`,
		"SET x = :n, x = :s":            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [x], path two: [x]",
		"SET m.k = :n REMOVE m":         "path one: [m, k], path two: [m]",
		"SET m = :n REMOVE m.k":         "path one: [m], path two: [m, k]",
		"SET m.k = :n, m[1] = :n":       "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [m, k], path two: [m, [1]]",
		"SET x = x + :s":                "operator or function: +, operand type: S",
		"SET x = list_append(l, :s)":    "operator or function: list_append, operand type: S",
		"SET x = size(s)":               "The function is not allowed in an update expression; function: size",
		"SET x = foo(s)":                "Invalid function name; function: foo",
		"SET x = if_not_exists(:n, :n)": "Operator or function requires a document path; operator or function: if_not_exists",
		"SET x = if_not_exists(z, z)":   "must be distinct from the remaining operands for this operator or function; operator: if_not_exists, first operand: [z]",
		"SET x = if_not_exists(x)":      "number of operands: 1",
		"SET x = (x + :n) + :n":         `Syntax error; token: "+"`,
		"ADD x :s":                      "operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND",
		"ADD x :b":                      "operand type: BOOLEAN",
		"DELETE x :n":                   "operator: DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND",
		"SET x = list_append(list_append(l, l), l)":   "used this way in an expression; function: list_append",
		"SET x = if_not_exists(x, list_append(l, l))": "used this way in an expression; function: list_append",
		"SET x = list_append(l, l) + x":               "used this way in an expression; function: list_append",
		"ADD x s":                                     `Syntax error; token: "s"`,
		"REMOVE order":                                "reserved keyword: order",
	} {
		_, err := expr.ParseUpdate(text, holders(t, v))
		require.ErrorContains(t, err, "Invalid UpdateExpression: ", text)
		require.ErrorContains(t, err, want, text)
	}
}

func TestChangedSelectsWhatAnUpdateChanges(t *testing.T) {
	u, err := expr.ParseUpdate("SET m.n.z = :n, l[0] = :n REMOVE s", holders(t, `{":n":{"N":"5"}}`))
	require.NoError(t, err)
	require.Equal(t, []string{"l", "m", "s"}, u.Attributes())
	require.JSONEq(t, `{"l":{"L":[{"S":"a"}]},"m":{"M":{"n":{"M":{"z":{"N":"1"}}}}},"s":{"S":"hello"}}`,
		string(u.Changed().Of(item(t, example)).AppendJSON(nil)))
}

func TestProjections(t *testing.T) {
	for text, want := range map[string]string{
		"x, nope":                 `{"x":{"N":"10"}}`,
		"m.n.z, l[2], l[0], l[9]": `{"l":{"L":[{"S":"a"},{"S":"c"}]},"m":{"M":{"n":{"M":{"z":{"N":"1"}}}}}}`,
		"x.y, m.k.q, l.a":         `{}`,
		"#d":                      `{"dotted.name":{"S":"d"}}`,
	} {
		s, err := expr.ParseProjection(text, holders(t, ""))
		require.NoError(t, err)
		require.JSONEq(t, want, string(s.Of(item(t, example)).AppendJSON(nil)))
	}
	for text, want := range map[string]string{
		"x, x": "Two document paths overlap", "m, m.k": "Two document paths overlap", "m.k, m[0]": "Two document paths conflict", "x y": "Syntax error", "name": "Attribute name is a reserved keyword; reserved keyword: name",
	} {
		_, err := expr.ParseProjection(text, holders(t, ""))
		require.ErrorContains(t, err, "Invalid ProjectionExpression: "+want)
	}
}

func TestKeyConditions(t *testing.T) {
	const v = `{":p":{"S":"P"},":a":{"S":"A"},":z":{"S":"Z"}}`
	for text, want := range map[string]string{
		"x = :p":                            "x=P",
		"u = :a AND x = :p":                 "u=A x=P",
		":p = x AND :a < u":                 "x=P u>A",
		"#sx = :p AND (begins_with(u, :a))": "x=P u begins_with A",
		"(x = :p) and u between :a AND :z":  "x=P u BETWEEN A,Z",
	} {
		tests, err := expr.ParseKeyCondition(text, holders(t, v))
		require.NoError(t, err, text)
		require.Equal(t, want, show(tests))
	}
	for text, want := range map[string]string{
		"x <> :p":                        "Invalid operator used in KeyConditionExpression: <>",
		"x = :p OR u = :a":               "Invalid operator used in KeyConditionExpression: OR",
		"NOT x = :p":                     "Invalid operator used in KeyConditionExpression: NOT",
		"x IN (:p)":                      "Invalid operator used in KeyConditionExpression: IN",
		"contains(x, :p)":                "Invalid operator used in KeyConditionExpression: contains",
		"x = :p AND x = :a":              "must only contain one condition per key",
		"m.k = :p":                       "cannot have conditions on nested attributes",
		"x = u":                          "Multiple attribute names used in one condition",
		":p = :a":                        "No key attribute specified",
		"x = :p AND u BETWEEN :z AND :a": "upper bound to be greater than or equal to lower bound",
	} {
		_, err := expr.ParseKeyCondition(text, holders(t, v))
		require.ErrorContains(t, err, want, text)
	}
}

func show(tests []expr.KeyTest) string {
	parts := make([]string, len(tests))
	for i, test := range tests {
		values := make([]string, len(test.Values))
		for j, v := range test.Values {
			values[j] = v.Text
		}
		operator := test.Operator
		if len(operator) > 2 {
			operator = " " + operator + " "
		}
		parts[i] = test.Attribute + operator + strings.Join(values, ",")
	}
	return strings.Join(parts, " ")
}

func TestPlaceholders(t *testing.T) {
	for key, want := range map[string]string{"name": "#", "#": "#", "#a b": "#"} {
		_, err := expr.NewPlaceholders(map[string]string{key: "x"}, nil)
		require.ErrorContains(t, err, `ExpressionAttributeNames contains invalid key: Syntax error; key: "`+key+`"`, want)
	}
	_, err := expr.NewPlaceholders(map[string]string{"#a": ""}, nil)
	require.ErrorContains(t, err, "Empty attribute name for key #a")
	_, err = expr.NewPlaceholders(nil, attr.Item{"v": attr.String("")})
	require.ErrorContains(t, err, "ExpressionAttributeValues contains invalid key")

	h, err := expr.NewPlaceholders(map[string]string{"#a": "x", "#b": "y"}, attr.Item{":v": attr.String(""), ":w": attr.String("")})
	require.NoError(t, err)
	_, err = expr.ParsePredicate(expr.Condition, "#a = :v", h)
	require.NoError(t, err)
	require.EqualError(t, h.CheckUsed(), "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}")
	_, err = expr.ParseProjection("#b", h)
	require.NoError(t, err)
	require.EqualError(t, h.CheckUsed(), "Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}")
}

// FuzzParse checks that no text makes the parser or the evaluation fail in any other way than with an InvalidError.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"x = :v AND begins_with(s, :w)", "SET x = x + :v, l[1] = :w REMOVE m.k ADD z :v", "x, m.n, l[0]", "((x = :v)", "NOT NOT x BETWEEN :v AND :v",
		"SET z = list_append(if_not_exists(z, l), l)", "size(x) IN (:v)",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h := holders(t, `{":v":{"N":"1"},":w":{"S":"w"}}`)
		it := item(t, example)
		p, err := expr.ParsePredicate(expr.Filter, text, h)
		requireInvalidOrNil(t, err)
		if err == nil {
			p.Holds(it)
			p.Holds(nil)
		}
		_, err = expr.ParseKeyCondition(text, h)
		requireInvalidOrNil(t, err)
		s, err := expr.ParseProjection(text, h)
		requireInvalidOrNil(t, err)
		if err == nil {
			s.Of(it)
		}
		u, err := expr.ParseUpdate(text, h)
		requireInvalidOrNil(t, err)
		if err == nil {
			_, err = u.Apply(it)
			requireInvalidOrNil(t, err)
			require.True(t, item(t, example).Equal(it), "the item given must not change")
		}
	})
}

func requireInvalidOrNil(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		var invalid expr.InvalidError
		require.ErrorAs(t, err, &invalid)
	}
}
