// Renders the templates of a Helm chart for the test of the chart, on systems without Helm: with the template engine of Go
// and the functions of Sprig, as Helm does. Reads the chart and what its templates use, such as .Values, from standard input
// as JSON: {"templates": {"name": "text"}, "context": {…}}. Writes each rendered template as JSON.
package main

import (
	"encoding/json"
	"os"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/ghodss/yaml"
)

type input struct {
	Templates map[string]string      `json:"templates"`
	Context   map[string]interface{} `json:"context"`
}

func main() {
	var chart input
	check(json.NewDecoder(os.Stdin).Decode(&chart))
	root := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := root.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	root.Funcs(functions)
	for name, text := range chart.Templates {
		_, err := root.New(name).Parse(text)
		check(err)
	}
	rendered := map[string]string{}
	for name := range chart.Templates {
		var text strings.Builder
		check(root.ExecuteTemplate(&text, name, chart.Context))
		rendered[name] = text.String()
	}
	check(json.NewEncoder(os.Stdout).Encode(rendered))
}

func check(err error) {
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
}
