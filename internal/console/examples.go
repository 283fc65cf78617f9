package console

import (
	"path"
	"strings"
)

// example is an operation that the page offers.
type example struct {
	Pattern   string // the access pattern it shows
	Title     string
	Query     string
	Variables string // JSON
	Writes    bool
}

// examples reads examples/ in the order of the file names. A file is named by its pattern, behind a number for the
// order; its first line is "# " and the title, and its last one may be "# " and the variables.
func examples() []example {
	entries, err := files().ReadDir("examples")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	list := make([]example, 0, len(entries))
	for _, entry := range entries {
		_, pattern, _ := strings.Cut(strings.TrimSuffix(entry.Name(), ".graphql"), "-")
		list = append(list, parseExample(pattern, string(read(path.Join("examples", entry.Name())))))
	}
	return list
}

// parseExample takes a file apart.
func parseExample(pattern, text string) example {
	title, query, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
	query, variables, _ := strings.Cut(query, "\n# ")
	return example{
		Pattern:   pattern,
		Title:     title,
		Query:     strings.TrimSpace(query) + "\n",
		Variables: strings.TrimSpace(variables),
		Writes:    strings.HasPrefix(query, "mutation"),
	}
}
