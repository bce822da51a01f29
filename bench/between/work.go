// Command work sorts, or builds trees, which needs a collector: `work sort|build TIMES`.
package main

import (
	"math/rand"
	"os"
	"sort"
	"strconv"
)

type node struct{ left, right *node }

func tree(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	return &node{tree(depth - 1), tree(depth - 1)}
}

func main() {
	times, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	values := rand.New(rand.NewSource(1)).Perm(10_000)
	sorted := make([]int, len(values))
	for range times {
		switch os.Args[1] {
		case "sort":
			copy(sorted, values)
			sort.Ints(sorted)
		case "build":
			tree(14)
		}
	}
}
