package config

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
)

const description = "A GraphQL API over one DynamoDB table, in which every operation costs a known number of requests.\n\n" +
	"Every flag can be set in the environment too, as KEYFIRST_ and its name in upper case."

// Parse reads the command line without the program's name, and the environment; a nil environment is that of the
// process. An error is a sentence about what the user typed. What Parse returns is valid.
func Parse(args []string, environment Environment) (Command, error) {
	var (
		out    bytes.Buffer
		helped bool
		line   flags
	)
	src := &sources{environment: environment.orProcess(), variables: map[string]bool{}}
	parser, err := kong.New(&line,
		kong.Name("keyfirst"), kong.Description(description),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.ValueFormatter(helpWithVariable),
		kong.Writers(&out, &out), kong.Exit(func(int) { helped = true }),
		kong.Resolvers(kong.ResolverFunc(src.resolve)))
	if err != nil {
		return nil, fmt.Errorf("the program's own flags are wrong: %w", err)
	}
	parsed, err := parser.Parse(args)
	if helped { // by the flag's hook, which kong expects not to return
		return Help{Text: out.String()}, nil
	}
	if err != nil {
		return nil, explain(err, src)
	}
	return commandOf(parsed.Selected(), src)
}

// commandOf makes the command that the command line selected.
func commandOf(node *kong.Node, src *sources) (Command, error) {
	chosen, ok := reflect.TypeAssert[commandFlags](node.Target.Addr())
	if !ok {
		return nil, fmt.Errorf("%s is not a command", node.Path())
	}
	return chosen.command(src)
}

// helpWithVariable adds its variable to the help of a flag.
func helpWithVariable(value *kong.Value) string {
	if value.Name == "help" {
		return value.Help
	}
	return fmt.Sprintf("%s ($%s)", value.Help, variableOf(value.Name))
}

// explain names the variable that holds a value which cannot be read.
func explain(err error, src *sources) error {
	for flag := range src.variables {
		if rest, found := strings.CutPrefix(err.Error(), "--"+flag+":"); found {
			return fmt.Errorf("%s:%s", variableOf(flag), rest)
		}
	}
	return err
}
