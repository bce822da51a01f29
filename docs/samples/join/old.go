//go:build !builder

package join

// Lines joins lines by concatenation.
func Lines(lines []string) string {
	text := ""
	for _, line := range lines {
		text += line + "\n"
	}
	return text
}
