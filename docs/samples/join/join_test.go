package join

import (
	"strings"
	"testing"
)

var sink string

func BenchmarkLines(b *testing.B) {
	lines := strings.Split(strings.Repeat("a line of text,", 400), ",")
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		sink = Lines(lines)
	}
}

func BenchmarkSplit(b *testing.B) {
	text := strings.Repeat("a line of text\n", 400)
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		sink = strings.Split(text, "\n")[0]
	}
}
