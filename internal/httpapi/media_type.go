package httpapi

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// The media types of an answer.
const (
	mediaJSON    = "application/json"
	mediaGraphQL = "application/graphql-response+json"
)

// acceptsJSONBody tells whether a request's body is JSON in UTF-8, uncompressed: the one kind that is read.
func acceptsJSONBody(h http.Header) bool {
	media, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || media != mediaJSON {
		return false
	}
	if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return false
	}
	encoding := h.Get("Content-Encoding")
	return encoding == "" || strings.EqualFold(encoding, "identity")
}

// negotiate picks the media type of the answer from an Accept header; ok is false when neither will do. Where the
// client has no preference it is plain JSON, which every client understands.
func negotiate(h http.Header) (media string, ok bool) {
	accept := strings.Join(h.Values("Accept"), ",")
	if strings.TrimSpace(accept) == "" {
		return mediaJSON, true
	}
	plain, graphql := quality(accept, mediaJSON), quality(accept, mediaGraphQL)
	switch {
	case graphql > plain, graphql == plain && graphql > 0 && namedFirst(accept):
		return mediaGraphQL, true
	case plain > 0:
		return mediaJSON, true
	}
	return mediaJSON, false
}

// namedFirst tells whether an Accept header names the GraphQL media type in front of the plain one.
func namedFirst(accept string) bool {
	accept = strings.ToLower(accept)
	graphql, plain := strings.Index(accept, mediaGraphQL), strings.Index(accept, mediaJSON)
	return graphql >= 0 && (plain < 0 || graphql < plain)
}

// quality is the weight an Accept header gives to a media type, by its most specific range; 0 is a refusal.
func quality(accept, media string) float64 {
	weight, best := 0.0, 0
	for item := range strings.SplitSeq(accept, ",") {
		got, params, err := mime.ParseMediaType(item)
		if err != nil {
			continue
		}
		if s := specificity(got, media); s > best {
			weight, best = parseWeight(params["q"]), s
		}
	}
	return weight
}

// specificity ranks how closely a media range fits a media type; 0 is not at all.
func specificity(media, want string) int {
	switch media {
	case want:
		return 3
	case "application/*":
		return 2
	case "*/*":
		return 1
	}
	return 0
}

// parseWeight reads a q parameter; what is not one counts in full.
func parseWeight(q string) float64 {
	if q == "" {
		return 1
	}
	weight, err := strconv.ParseFloat(q, 64)
	if err != nil || weight < 0 || weight > 1 {
		return 1
	}
	return weight
}
