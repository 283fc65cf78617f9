package dal

import (
	"context"
	"crypto/rand"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/oklog/ulid/v2"
)

// PatternCreateCustomer is the name of the pattern behind [Table.CreateCustomer].
const PatternCreateCustomer Pattern = "create-customer"

// NewCustomer is a customer to create.
type NewCustomer struct {
	Name  string
	Email Email
}

// CreateCustomer creates a customer and the guard that makes the e-mail address its own.
//
// Access pattern: create-customer, one TransactWriteItems of the profile and the guard, each only if absent.
//
// Cost: 1 request; 2 write units for each item and 2 for its copy in email-index.
//
// Consistency: serializable: of two customers racing for one address, one is rejected.
//
// Errors: a rejection for a bad name or a taken address; KindConflict, KindThrottled and the like for failures.
func (t *Table) CreateCustomer(ctx context.Context, in NewCustomer) (*Customer, []*Rejection, error) {
	if r := checkName(in.Name, "name"); r != nil {
		return nil, []*Rejection{r}, nil
	}
	now := t.now()
	id, err := newID(now)
	if err != nil {
		return nil, nil, err
	}
	c := &Customer{
		ID: CustomerID(id), Name: in.Name, Email: in.Email.Spelling, CreatedAt: now, UpdatedAt: now, Version: 1,
	}
	guard := &EmailOwner{Folded: in.Email.Folded, CustomerID: c.ID}
	refused, err := t.transact(ctx, startSpan(ctx, opTransactWrite, 0, PatternCreateCustomer), []types.TransactWriteItem{
		t.create(guard.item()), t.create(c.item(in.Email.Folded)),
	})
	switch {
	case err != nil:
		return nil, nil, err
	case slices.Contains(refused, 0):
		return nil, []*Rejection{
			reject(RejectedEmailTaken, []string{"email"}, "the e-mail address belongs to another customer"),
		}, nil
	case len(refused) > 0:
		return nil, nil, &Error{Op: "CreateCustomer", Kind: KindConflict, Key: customerKey(c.ID)}
	}
	return c, nil, nil
}

// now is the instant a write is stamped with, in the precision the table stores.
func (t *Table) now() time.Time { return t.config.Clock().UTC().Truncate(time.Millisecond) }

// newID makes an id that nobody has: it sorts by time.
func newID(now time.Time) (string, error) {
	id, err := ulid.New(ulid.Timestamp(now), rand.Reader)
	if err != nil {
		return "", &Error{Op: "newID", Kind: KindInternal, Err: err}
	}
	return id.String(), nil
}

func createCustomerAccess() Access {
	return Access{
		Pattern: PatternCreateCustomer, Operation: opTransactWrite,
		Key:       customerKey("<id>").PK + " / " + skProfile + ", " + emailKey("<folded e-mail>").PK + " / " + skOwner,
		ItemBytes: MaxCustomerBytes, Strong: true,
	}.writing(CreateCustomerBound())
}
