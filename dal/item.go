package dal

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// item is an item as the SDK has it.
type item = map[string]types.AttributeValue

// The attributes, beside those of the keys.
const (
	attrName           = "name"
	attrEmail          = "email"
	attrCreatedAt      = "createdAt"
	attrUpdatedAt      = "updatedAt"
	attrVersion        = "version"
	attrOrderCount     = "orderCount"
	attrOpenOrderCount = "openOrderCount"
	attrCustomer       = "customerId"
	attrWarehouse      = "warehouseId"
	attrPlacedAt       = "placedAt"
	attrStatus         = "status"
	attrTotal          = "total"
	attrCurrency       = "currency"
	attrItemCount      = "itemCount"
	attrSKU            = "sku"
	attrQuantity       = "quantity"
	attrUnitPrice      = "unitPrice"
	attrPrice          = "price"
	attrTTL            = "ttl"
	attrFormat         = "formatVersion"
	attrShards         = "openOrderShards"
)

func str(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
func num(n int) types.AttributeValue    { return &types.AttributeValueMemberN{Value: strconv.Itoa(n)} }

func dec(d Decimal) types.AttributeValue    { return &types.AttributeValueMemberN{Value: d.String()} }
func when(t time.Time) types.AttributeValue { return str(encodeTime(t)) }

// attributes is the key as the SDK wants it.
func (k Key) attributes() item { return item{attrPK: str(k.PK), attrSK: str(k.SK)} }

// keyOf is the key that an item, or a set of key attributes, carries.
func keyOf(it item) Key {
	pk, _ := it[attrPK].(*types.AttributeValueMemberS)
	sk, _ := it[attrSK].(*types.AttributeValueMemberS)
	if pk == nil || sk == nil {
		return Key{}
	}
	return Key{pk.Value, sk.Value}
}

// with adds the attributes of the item to the key's.
func (k Key) with(attributes item) item {
	attributes[attrPK], attributes[attrSK] = str(k.PK), str(k.SK)
	return attributes
}

// reader takes attributes out of an item and keeps the first failure.
type reader struct {
	item item
	// only are the attributes that are wanted; nil for all. Any other reads as its zero value.
	only map[string]bool
	err  error
}

func (r *reader) wants(attribute string) bool { return r.only == nil || r.only[attribute] }

func (r *reader) fail(attribute string, err error) {
	if r.err == nil {
		r.err = fmt.Errorf("attribute %s: %w", attribute, err)
	}
}

var errWrongType = errors.New("missing or of another type")

func (r *reader) string(attribute string) string {
	if !r.wants(attribute) {
		return ""
	}
	v, ok := r.item[attribute].(*types.AttributeValueMemberS)
	if !ok {
		r.fail(attribute, errWrongType)
		return ""
	}
	return v.Value
}

func (r *reader) number(attribute string) string {
	if !r.wants(attribute) {
		return "0"
	}
	v, ok := r.item[attribute].(*types.AttributeValueMemberN)
	if !ok {
		r.fail(attribute, errWrongType)
		return "0"
	}
	return v.Value
}

func (r *reader) int(attribute string) int {
	n, err := strconv.Atoi(r.number(attribute))
	if err != nil {
		r.fail(attribute, err)
	}
	return n
}

func (r *reader) time(attribute string) time.Time {
	if !r.wants(attribute) {
		return time.Time{}
	}
	t, err := decodeTime(r.string(attribute))
	if err != nil {
		r.fail(attribute, err)
	}
	return t
}

func (r *reader) money(amount string) Money {
	d, err := decimalFromNumber(r.number(amount))
	if err != nil {
		r.fail(amount, err)
	}
	return Money{Amount: d, Currency: r.string(attrCurrency)}
}
