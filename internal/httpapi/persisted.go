package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// persistedQueries lets a client send the hash of a document in place of its text, once the server has seen both
// (Apollo's "automatic persisted queries"). It is the same protocol as gqlgen's extension, with coded errors.
type persistedQueries struct {
	texts *lru[string]
}

// ExtensionName names the extension for gqlgen.
func (persistedQueries) ExtensionName() string { return "PersistedQueries" }

// Validate accepts every schema.
func (persistedQueries) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters fills in the text of a known hash, or remembers the text that came with a hash.
func (p persistedQueries) MutateOperationParameters(ctx context.Context, params *graphql.RawParams) *gqlerror.Error {
	extension, present := params.Extensions["persistedQuery"]
	if !present || extension == nil {
		return nil
	}
	hash, ok := persistedHash(extension)
	if !ok {
		return newError(codeBadUserInput, "extensions.persistedQuery must have version 1 and a sha256Hash.")
	}
	if params.Query == "" {
		if params.Query, ok = p.texts.Get(ctx, hash); !ok {
			return newError(codeNotPersisted, "PersistedQueryNotFound") // the text that clients look for
		}
		return nil
	}
	if sum := sha256.Sum256([]byte(params.Query)); hex.EncodeToString(sum[:]) != hash {
		return newError(codeBadUserInput, "extensions.persistedQuery.sha256Hash is not the hash of the query.")
	}
	p.texts.add(hash, len(params.Query), params.Query)
	return nil
}

// persistedHash reads the extension.
func persistedHash(extension any) (hash string, ok bool) {
	object, isObject := extension.(map[string]any)
	if !isObject {
		return "", false
	}
	version, isNumber := object["version"].(json.Number)
	hash, isText := object["sha256Hash"].(string)
	return strings.ToLower(hash), isNumber && version == "1" && isText && len(hash) == hex.EncodedLen(sha256.Size)
}
