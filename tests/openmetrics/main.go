// Command openmetrics reads OpenMetrics text as Prometheus reads it when it scrapes, and prints each sample as a line of
// JSON: its labels, with the name as __name__, and its value.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
)

func main() {
	if err := printed(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func printed(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	parser := textparse.NewOpenMetricsParser(text, labels.NewSymbolTable())
	out := json.NewEncoder(os.Stdout)
	for {
		entry, err := parser.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if entry != textparse.EntrySeries {
			continue
		}
		_, _, value := parser.Series()
		var of labels.Labels
		parser.Metric(&of)
		if err := out.Encode([]any{of.Map(), value}); err != nil {
			return err
		}
	}
}
