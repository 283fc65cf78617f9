package engine

// Projection types of an index.
const (
	projectAll      = "ALL"
	projectKeysOnly = "KEYS_ONLY"
	projectInclude  = "INCLUDE"
)

// Billing modes of a table.
const (
	billingProvisioned = "PROVISIONED"
	billingOnDemand    = "PAY_PER_REQUEST"
)

// Key types of a key schema.
const (
	hashKey  = "HASH"
	rangeKey = "RANGE"
)

// tableRecord is what the store keeps of a table. Its parts have the shape that they have on the wire.
type tableRecord struct {
	Name                 string
	ID                   string
	Created              float64 // Unix seconds
	AttributeDefinitions []attributeDefinition
	KeySchema            []keySchemaElement
	BillingMode          string
	Throughput           throughput
	Protected            bool   `json:",omitempty"`
	TimeToLive           string `json:",omitempty"` // the attribute, empty when disabled
	TableClass           string `json:",omitempty"`
	Indexes              []indexRecord
}

// indexRecord is what the store keeps of an index.
type indexRecord struct {
	Name       string
	Local      bool
	KeySchema  []keySchemaElement
	Projection projection
	Throughput throughput
}

type attributeDefinition struct {
	AttributeName string
	AttributeType string
}

type keySchemaElement struct {
	AttributeName string
	KeyType       string
}

type projection struct {
	ProjectionType   string
	NonKeyAttributes []string `json:",omitempty"`
}

type throughput struct {
	ReadCapacityUnits  int64
	WriteCapacityUnits int64
}
