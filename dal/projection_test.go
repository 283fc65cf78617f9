package dal

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/stretchr/testify/require"
)

func selecting(t EntityType, fields ...string) map[EntityType]map[string]bool {
	selected := map[EntityType]map[string]bool{t: {}}
	for _, f := range fields {
		selected[t][f] = true
	}
	return selected
}

func TestProjectionNamesWhatIsSelected(t *testing.T) {
	for _, c := range []struct {
		name     string
		of       EntityType
		fields   []string
		expected []string // nil: read whole
	}{
		{"a name", TypeCustomer, []string{"id", "name"}, []string{"name"}},
		{"nothing but the id", TypeCustomer, []string{"id"}, []string{}},
		{"more than half", TypeCustomer, []string{"name", "email", "version", "orderCount"}, nil},
		{"an order's place and line count always", TypeOrder, []string{"status"}, []string{"itemCount", "placedAt", "status"}},
		{"an amount and its currency", TypeOrder, []string{"total"}, []string{"currency", "itemCount", "placedAt", "total"}},
		{"the key of what a field leads to", TypeOrderItem, []string{"product"}, []string{"sku"}},
		{"a field nobody has listed", TypeProduct, []string{"name", "colour"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			attributes, projected := NewProjection(selecting(c.of, c.fields...))[c.of]
			require.Equal(t, c.expected != nil, projected)
			for _, a := range c.expected {
				require.True(t, attributes[a], a)
			}
			require.Len(t, attributes, len(c.expected))
		})
	}
}

// A field that is missing from the table would be read whole, which is right but dear: no field may be forgotten.
func TestProjectionKnowsEveryFieldOfTheSchema(t *testing.T) {
	schema, err := os.ReadFile("../schema.graphqls")
	require.NoError(t, err)
	for _, of := range []EntityType{TypeCustomer, TypeOrder, TypeOrderItem, TypeProduct, TypeWarehouse} {
		_, body, found := strings.Cut(string(schema), "\ntype "+string(of)+" implements Node {\n")
		require.True(t, found, of)
		body, _, _ = strings.Cut(body, "\n}")
		for _, m := range regexp.MustCompile(`(?m)^  (\w+)[(:]`).FindAllStringSubmatch(body, -1) {
			require.Contains(t, attributesByField(of), m[1], of)
		}
	}
}

func TestProjectionIsLeftOutWhereOneTypeIsReadWhole(t *testing.T) {
	p := NewProjection(selecting(TypeCustomer, "name"))
	delete(p, TypeOrder)
	expression, names := p.expression(TypeCustomer)
	require.Equal(t, "#a0, #a1, #a2", *expression)
	require.Equal(t, map[string]string{"#a0": "PK", "#a1": "SK", "#a2": "name"}, names)
	expression, names = p.expression(TypeCustomer, TypeOrder)
	require.Nil(t, expression)
	require.Nil(t, names)
}

func TestDecodeLeavesOutWhatIsNotProjected(t *testing.T) {
	at := time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC)
	o := &Order{
		ID: "A17", CustomerID: "42", WarehouseID: "n", PlacedAt: at, Status: StatusPaid, ItemCount: 2, Version: 3, UpdatedAt: at,
		Total: Money{Amount: mustDecimal(t, "35"), Currency: "EUR"},
	}
	p := NewProjection(selecting(TypeOrder, "id", "status"))
	got, err := decode(o.customerCopy(1), p)
	require.NoError(t, err)
	require.Equal(t, &Order{ID: "A17", PlacedAt: at, Status: StatusPaid, ItemCount: 2}, got)

	broken := o.customerCopy(1)
	delete(broken, attrStatus)
	_, err = decode(broken, p)
	require.ErrorContains(t, err, "attribute status")
}

// canned answers every request with the same bytes, so that only the client's own work is measured.
type canned []byte

func (c canned) Do(r *http.Request) (*http.Response, error) {
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		Body: io.NopCloser(bytes.NewReader(c)), ContentLength: int64(len(c)), Request: r,
	}, nil
}

// cannedCustomers is a table of 100 customers of whom the reply has the first attributes.
func cannedCustomers(attributes int) *Table {
	items := make([]string, 100)
	for i := range items {
		all := []string{
			`"name":{"S":"Maya Lindqvist"}`, `"orderCount":{"N":"20"}`, `"version":{"N":"1"}`,
			fmt.Sprintf(`"email":{"S":"maya%d@example.com"}`, i), `"createdAt":{"S":"2024-03-01T09:15:00.000Z"}`,
			`"updatedAt":{"S":"2024-03-01T09:15:00.000Z"}`, `"openOrderCount":{"N":"4"}`, fmt.Sprintf(`"emailKey":{"S":"maya%d@example.com"}`, i),
		}
		items[i] = fmt.Sprintf(`{"PK":{"S":"CUST#%d"},"SK":{"S":"PROFILE"},%s}`, i, strings.Join(all[:attributes], ","))
	}
	reply := canned(`{"Responses":{"keyfirst":[` + strings.Join(items, ",") + `]},"UnprocessedKeys":{}}`)
	return New(NewClient(aws.Config{
		Region: "us-east-1", HTTPClient: reply,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "local", SecretAccessKey: "local"}, nil
		}),
	}), Config{})
}

// BenchmarkProjection reports the time of a batch of 100 customers with some of their attributes as a share of the
// time with all of them: the median of pairs measured in turns.
func BenchmarkProjection(b *testing.B) {
	fields := []string{"name", "orderCount", "version", "email", "createdAt", "updatedAt"}
	reads := make([]Read, 100)
	for i := range reads {
		reads[i] = CustomerByID(CustomerID(strconv.Itoa(i)))
	}
	for _, attributes := range []int{1, 3, 6} {
		b.Run(fmt.Sprintf("%d of 8", attributes), func(b *testing.B) {
			projection := Projection{TypeCustomer: {}}
			for _, f := range fields[:attributes] {
				projection[TypeCustomer][f] = true
			}
			some, all := cannedCustomers(attributes), cannedCustomers(8)
			ratios := make([]float64, b.N)
			for i := range ratios {
				start := time.Now()
				some.Load(context.Background(), reads, LoadOptions{Projection: projection})
				between := time.Now()
				all.Load(context.Background(), reads, LoadOptions{})
				ratios[i] = float64(between.Sub(start)) / float64(time.Since(between))
			}
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "x-whole")
			b.ReportMetric(0, "ns/op")
		})
	}
}
