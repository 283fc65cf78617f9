package config

import (
	"os"
	"strings"

	"github.com/alecthomas/kong"
)

// Environment looks an environment variable up.
type Environment func(name string) (value string, found bool)

// orProcess is the environment of the process in place of a nil one.
func (e Environment) orProcess() Environment {
	if e == nil {
		return os.LookupEnv
	}
	return e
}

const variablePrefix = "KEYFIRST_"

// variableOf is the variable of a flag.
func variableOf(flag string) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// sources knows which flags were not on the command line but in the environment.
type sources struct {
	environment Environment
	variables   map[string]bool // by the flag's name
}

// resolve gives kong the value of a flag that is not on the command line.
func (s *sources) resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	value, found := s.environment(variableOf(flag.Name))
	if !found || value == "" || flag.Name == "help" {
		return nil, nil //nolint:nilnil // it is how kong is told that there is no value
	}
	s.variables[flag.Name] = true
	return value, nil
}

// isVariable says that a flag's value came from the environment.
func (s *sources) isVariable(flag string) bool { return s.variables[flag] }

// name is what the user set: the flag or its variable.
func (s *sources) name(flag string) string {
	if s.isVariable(flag) {
		return variableOf(flag)
	}
	return "--" + flag
}
