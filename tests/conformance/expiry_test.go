package conformance

import (
	"fmt"
	"time"

	"github.com/stretchr/testify/require"
)

// expiryLimit is how long an engine on a developer's machine may take to delete what has expired. The service takes days.
const expiryLimit = 30 * time.Second

func expiryCases() []testCase {
	return []testCase{{"time to live/items expire by a number that is past, and not by more than five years", expire}}
}

func expire(p *probe) {
	const year = 365 * 24 * time.Hour
	table := p.newTable("indexed")
	p.must("UpdateTimeToLive", `{"TableName":"`+table+`","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}}`)
	now := time.Now()
	for name, value := range map[string]string{
		"past":    fmt.Sprintf(`{"N":"%d"}`, now.Add(-time.Minute).Unix()),
		"soon":    fmt.Sprintf(`{"N":"%d"}`, now.Add(2*time.Second).Unix()),
		"later":   fmt.Sprintf(`{"N":"%d"}`, now.Add(time.Hour).Unix()),
		"text":    fmt.Sprintf(`{"S":"%d"}`, now.Add(-time.Minute).Unix()),
		"ancient": fmt.Sprintf(`{"N":"%d"}`, now.Add(-6*year).Unix()),
	} {
		p.must("PutItem", fmt.Sprintf(`{"TableName":"%s","Item":{"PK":{"S":"a"},"SK":{"S":"%s"},"g":{"S":"g"},"gs":{"S":"1"},"ttl":%s}}`, table, name, value))
	}
	isThere := func(name string) bool {
		return p.must("GetItem", fmt.Sprintf(`{"TableName":"%s","ConsistentRead":true,"Key":{"PK":{"S":"a"},"SK":{"S":"%s"}}}`, table, name))["Item"] != nil
	}
	require.True(p, p.until(expiryLimit, func() bool { return !isThere("past") && !isThere("soon") }), "what has expired is still there")
	for _, name := range []string{"later", "text", "ancient"} {
		require.True(p, isThere(name), "%s has expired", name)
	}
	left := p.must("Query", `{"TableName":"`+table+`","IndexName":"keys","KeyConditionExpression":"g = :g","ExpressionAttributeValues":{":g":{"S":"g"}}}`)
	require.InDelta(p, 3, left["Count"], 0, "the index still has what has expired")
}
