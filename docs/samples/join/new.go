//go:build builder

package join

import "strings"

// Lines joins lines in a builder.
func Lines(lines []string) string {
	var text strings.Builder
	for _, line := range lines {
		text.WriteString(line)
		text.WriteByte('\n')
	}
	return text.String()
}
