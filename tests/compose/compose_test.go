package compose

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../.."

func TestServices(t *testing.T) {
	t.Parallel()
	project := load(t)

	assert.Equal(t, []string{"dynamodb", "keyfirst", "table"}, slices.Sorted(maps.Keys(project.Services)))
	assert.Empty(t, project.DisabledServices)
	assert.Contains(t, project.Volumes, "dynamodb")
}

func TestPortsArePublishedOnLoopbackOnly(t *testing.T) {
	t.Parallel()

	published := 0
	for name, service := range load(t).Services {
		for _, port := range service.Ports {
			published++
			assert.Equal(t, "127.0.0.1", port.HostIP, "%s: port %d", name, port.Target)
		}
		assert.Empty(t, service.NetworkMode, "%s: another network mode publishes ports of its own", name)
	}
	assert.Equal(t, 1, published)
}

func TestServersHaveHealthChecks(t *testing.T) {
	t.Parallel()
	project := load(t)

	for _, name := range []string{"dynamodb", "keyfirst"} {
		check := project.Services[name].HealthCheck
		require.NotNil(t, check, name)
		assert.False(t, check.Disable, name)
		require.NotEmpty(t, check.Test, name)
		assert.Equal(t, "CMD", check.Test[0], "%s: the image may have no shell", name)
	}
	assert.Equal(t,
		types.HealthCheckTest{"CMD", "/keyfirst", "healthcheck", "--url", "http://127.0.0.1:8080/healthz"},
		project.Services["keyfirst"].HealthCheck.Test)
}

func TestEachServiceWaitsForWhatItNeeds(t *testing.T) {
	t.Parallel()
	project := load(t)

	conditions := func(name string) map[string]string {
		found := map[string]string{}
		for needed, dependency := range project.Services[name].DependsOn {
			assert.True(t, dependency.Required, "%s needs %s", name, needed)
			found[needed] = dependency.Condition
		}
		return found
	}
	assert.Empty(t, conditions("dynamodb"))
	assert.Equal(t, map[string]string{"dynamodb": types.ServiceConditionHealthy}, conditions("table"))
	assert.Equal(t, map[string]string{
		"dynamodb": types.ServiceConditionHealthy,
		"table":    types.ServiceConditionCompletedSuccessfully,
	}, conditions("keyfirst"))
}

func TestDynamoDBKeepsItsTables(t *testing.T) {
	t.Parallel()
	dynamodb := load(t).Services["dynamodb"]

	require.Len(t, dynamodb.Volumes, 1)
	volume := dynamodb.Volumes[0]
	assert.Equal(t, types.VolumeTypeVolume, volume.Type)
	assert.Subset(t, dynamodb.Command, []string{"-sharedDb", "-dbPath", volume.Target})
	assert.NotContains(t, dynamodb.Command, "-inMemory")
	assert.Equal(t, "root", dynamodb.User, "a new volume belongs to root")
}

// TestTableAndServerMeanTheSameTable: whatever names the table is the same for the service that makes it.
func TestTableAndServerMeanTheSameTable(t *testing.T) {
	t.Parallel()
	project := load(t)

	server, table := project.Services["keyfirst"], project.Services["table"]
	assert.Equal(t, types.ShellCommand{"serve"}, server.Command)
	assert.Equal(t, types.ShellCommand{"table", "create"}, table.Command)
	assert.Equal(t, server.Image, table.Image)
	for _, variable := range []string{"KEYFIRST_ENDPOINT", "KEYFIRST_REGION", "KEYFIRST_TABLE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
		require.NotNil(t, server.Environment[variable], variable)
		assert.Equal(t, server.Environment[variable], table.Environment[variable], variable)
	}
	assert.Equal(t, "http://dynamodb:8000", *server.Environment["KEYFIRST_ENDPOINT"])
	assert.Regexp(t, "^[A-Za-z0-9]+$", *server.Environment["AWS_ACCESS_KEY_ID"], "DynamoDB Local refuses other keys")
}

var (
	settingName = regexp.MustCompile(`\bKEYFIRST_[A-Z_]+\b`)
	longFlag    = regexp.MustCompile(`--[a-z][a-z-]+`)
)

// TestSettingsExist compares what the containers are given with what the program says it takes.
func TestSettingsExist(t *testing.T) {
	t.Parallel()
	project := load(t)
	program := build(t)
	image := parseDockerfile(t)

	settings := map[string][]string{}
	for _, name := range []string{"keyfirst", "table"} {
		service := project.Services[name]
		help := run(t, program, append(slices.Clone(service.Command), "--help")...)
		settings[name] = settingName.FindAllString(help, -1)
		for variable := range service.Environment {
			if strings.HasPrefix(variable, "KEYFIRST_") {
				assert.Contains(t, settings[name], variable, "%s: the program reads no such variable", name)
			}
		}
	}
	for _, env := range image.final("ENV") {
		for _, variable := range settingName.FindAllString(env, -1) {
			assert.Contains(t, settings["keyfirst"], variable, "Dockerfile: the program reads no such variable")
		}
	}

	check := project.Services["keyfirst"].HealthCheck.Test
	require.Equal(t, "/keyfirst", check[1])
	assert.Contains(t, longFlag.FindAllString(run(t, program, check[2], "--help"), -1), check[3])
}

func TestDockerfile(t *testing.T) {
	t.Parallel()
	image := parseDockerfile(t)

	require.Len(t, image, 2)
	assert.Regexp(t, `^golang:1\.26\S* AS build$`, image[0].from)
	assert.Regexp(t, `^gcr\.io/distroless/static\S*:nonroot AS final$`, image[1].from)
	assert.Contains(t, strings.Join(image[0].instructions["RUN"], "\n"), "CGO_ENABLED=0", "the final image has no C library")
	assert.Empty(t, image.final("RUN"), "the final image has no shell")
	for _, instruction := range []string{"ENTRYPOINT", "CMD"} {
		require.Len(t, image.final(instruction), 1, instruction)
		assert.Regexp(t, `^\[.*\]$`, image.final(instruction)[0], "%s is in shell form, and the final image has no shell", instruction)
	}
	require.Len(t, image.final("HEALTHCHECK"), 1)
	assert.Regexp(t, `CMD \[.*\]$`, image.final("HEALTHCHECK")[0], "the final image has no shell")
	assert.NotContains(t, image.final("USER"), "root")
}

// load parses the file the way `docker compose` does, with none of this process's variables.
func load(t *testing.T) *types.Project {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{filepath.Join(root, "docker-compose.yml")}, cli.WithResolvedPaths(true))
	require.NoError(t, err)
	project, err := options.LoadProject(t.Context())
	require.NoError(t, err)
	return project
}

// build makes the program that the Dockerfile puts into the image.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "keyfirst")
	command := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".")
	command.Dir = root
	output, err := command.CombinedOutput()
	require.NoError(t, err, "%s", output)
	return program
}

func run(t *testing.T, program string, arguments ...string) string {
	t.Helper()
	output, err := exec.CommandContext(t.Context(), program, arguments...).CombinedOutput()
	require.NoError(t, err, "%s", output)
	return string(output)
}

// stage is one FROM of a Dockerfile: its arguments, and those of the instructions up to the next.
type stage struct {
	from         string
	instructions map[string][]string
}

type dockerfile []stage

// final returns the arguments of all instructions of one kind in the image that is shipped.
func (d dockerfile) final(instruction string) []string {
	return d[len(d)-1].instructions[instruction]
}

func parseDockerfile(t *testing.T) dockerfile {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "Dockerfile"))
	require.NoError(t, err)

	var stages dockerfile
	comment := regexp.MustCompile(`(?m)^\s*#.*\n`)
	continued := regexp.MustCompile(`\\\n\s*`)
	joined := continued.ReplaceAllString(comment.ReplaceAllString(string(text), ""), "")
	for line := range strings.Lines(joined) {
		instruction, arguments, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch instruction {
		case "":
		case "FROM":
			stages = append(stages, stage{from: arguments, instructions: map[string][]string{}})
		default:
			require.NotEmpty(t, stages, "%s before the first FROM", instruction)
			last := stages[len(stages)-1].instructions
			last[instruction] = append(last[instruction], arguments)
		}
	}
	return stages
}
