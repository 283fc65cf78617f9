package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStrictVariables(t *testing.T) {
	t.Parallel()
	const query = `{"query":"query($f:Filter={statuses:[PAID],sizes:[1]} $s:Status=PAID){list(filter:$f) also: hello @include(if: true) x: list(filter:{status:$s})}"`
	fault := func(text string) string {
		return `{"errors":[{"message":"Variable \"$` + text + `.","extensions":{"code":"BAD_USER_INPUT"}}]}`
	}
	tests := map[string]struct{ variables, fault string }{
		"defaults":          {`{}`, ""},
		"nulls":             {`{"f":null,"s":null}`, ""},
		"list":              {`{"f":{"statuses":["PAID","PENDING"],"sizes":[2147483647,null,-2147483648]}}`, ""},
		"list of one":       {`{"f":{"statuses":"PAID","sizes":7}}`, ""},
		"wrong case":        {`{"s":"paid"}`, fault(`s\" is not a valid Status`)},
		"wrong in a list":   {`{"f":{"statuses":["PAID","Pending"]}}`, fault(`f.statuses[1]\" is not a valid Status`)},
		"wrong list of one": {`{"f":{"statuses":"Pending"}}`, fault(`f.statuses[0]\" is not a valid Status`)},
		"33 bits":           {`{"f":{"sizes":[1,2147483648]}}`, fault(`f.sizes[1]\" is not a valid Int`)},
		"in quotes":         {`{"f":{"sizes":["1"]}}`, fault(`f.sizes[0]\" is not a valid Int`)},
		"object as list":    {`{"f":[]}`, fault(`f\" is not a valid Filter`)},
		"enum as list":      {`{"s":[]}`, fault(`s\" is not the name of an enum's value`)},
		"a fraction":        {`{"f":{"sizes":[1.5]}}`, fault(`f.sizes[0]\" is not a valid Int`)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := newServer(t, newStub(t, nil), nil).post(query + `,"variables":` + test.variables + `}`)
			if test.fault == "" {
				require.Equal(t, http.StatusOK, got.Code, got.Body)
				return
			}
			require.Equal(t, http.StatusBadRequest, got.Code)
			require.JSONEq(t, test.fault, got.Body.String())
		})
	}
}
