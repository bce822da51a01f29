// What benchstat's own packages make of filters and projections: reference values for
// etalon-core's query language.
//
//	go run .                 writes the fixtures of crates/etalon-core/tests/public/query
//	go run . -check          remakes them in memory and compares (exit 1 if different)
//	go run . -random N -seed S -to FILE
//	                         N random cases of each kind instead, to compare many more
//
// The files are generated, never edited. cases.go lists the cases by hand, random.go makes
// others up from a seed. Everything is asked of golang.org/x/perf/benchproc, in the version that
// go.mod names, the way benchstat asks it: filter, then -table with units, -row, -col, -ignore,
// then the residue.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
)

const fixtures = "../../../crates/etalon-core/tests/public/query/"

// A row is one result line: its name, what the file and the command line said about it, and the
// units of its measurements, as tidied and as written ("" if that is the same).
type row struct {
	Name   string      `json:"name"`
	Config [][2]string `json:"config"`
	File   string      `json:"file"`
	Units  [][2]string `json:"units"`
}

type fault struct {
	Of      string `json:"of"`
	At      int    `json:"at"`
	Message string `json:"message"`
}

// A filterCase says which measurements of each row stay, as 0 and 1.
type filterCase struct {
	Query string   `json:"query"`
	Rows  string   `json:"rows"`
	Error *fault   `json:"error,omitempty"`
	Kept  []string `json:"kept,omitempty"`
}

// A spaceCase says what the projections make of the measurements.
type spaceCase struct {
	Rows   string `json:"rows"`
	Filter string `json:"filter"`
	Table  string `json:"table"`
	Row    string `json:"row"`
	Col    string `json:"col"`
	Ignore string `json:"ignore"`
	Error  *fault `json:"error,omitempty"`
	Result *space `json:"result,omitempty"`
}

// In the order table, row, col, residue: columns, distinct tuples as they appear, their order when
// sorted. Then for each row the tuples of each measurement, null where it was dropped; and for each
// cell, in order of appearance, the residue's columns that vary in it.
type space struct {
	Columns [4][]string   `json:"columns"`
	Tuples  [4][][]string `json:"tuples"`
	Sorted  [4][]int      `json:"sorted"`
	Places  [][]*[4]int   `json:"places"`
	Varying [][]string    `json:"varying"`
}

type fixture struct {
	About   string           `json:"about"`
	Rows    map[string][]row `json:"rows"`
	Filters []filterCase     `json:"filters"`
	Spaces  []spaceCase      `json:"spaces"`
}

func (r row) result() *benchfmt.Result {
	res := &benchfmt.Result{Name: benchfmt.Name(r.Name), Iters: 1}
	if r.File != "" {
		res.Config = append(res.Config, benchfmt.Config{Key: ".file", Value: []byte(r.File)})
	}
	for _, c := range r.Config {
		res.Config = append(res.Config, benchfmt.Config{Key: c[0], Value: []byte(c[1]), File: true})
	}
	for _, u := range r.Units {
		res.Values = append(res.Values, benchfmt.Value{Value: 1, Unit: u[0], OrigValue: 1, OrigUnit: u[1]})
	}
	return res
}

// The error's type is internal to the package; its fields are not.
func faultOf(of string, err error) *fault {
	v := reflect.ValueOf(err).Elem()
	return &fault{of, int(v.FieldByName("Off").Int()), v.FieldByName("Msg").String()}
}

func (c *filterCase) run(rows []row) {
	filter, err := benchproc.NewFilter(c.Query)
	if err != nil {
		c.Error = faultOf("filter", err)
		return
	}
	for _, r := range rows {
		match, _ := filter.Match(r.result())
		kept := ""
		for i := range r.Units {
			if match.Test(i) {
				kept += "1"
			} else {
				kept += "0"
			}
		}
		c.Kept = append(c.Kept, kept)
	}
}

// numbered gives keys numbers as they appear.
type numbered struct {
	ids  map[benchproc.Key]int
	keys []benchproc.Key
}

func (n *numbered) id(k benchproc.Key) int {
	id, ok := n.ids[k]
	if !ok {
		id = len(n.keys)
		n.ids[k] = id
		n.keys = append(n.keys, k)
	}
	return id
}

func (c *spaceCase) run(rows []row) {
	filter, err := benchproc.NewFilter(c.Filter)
	if err != nil {
		c.Error = faultOf("filter", err)
		return
	}
	var parser benchproc.ProjectionParser
	var projections [4]*benchproc.Projection
	for i, of := range []string{"table", "row", "col", "ignore"} {
		query := [4]string{c.Table, c.Row, c.Col, c.Ignore}[i]
		if i == 0 {
			projections[i], _, err = parser.ParseWithUnit(query, filter)
		} else {
			projections[i], err = parser.Parse(query, filter)
		}
		if err != nil {
			c.Error = faultOf(of, err)
			return
		}
	}
	projections[3] = parser.Residue()
	c.Result = measure(filter, projections, rows)
}

func measure(filter *benchproc.Filter, projections [4]*benchproc.Projection, rows []row) *space {
	var out space
	var seen [4]numbered
	for i := range seen {
		seen[i].ids = map[benchproc.Key]int{}
	}
	var cells []([3]int)
	residues := map[[3]int][]benchproc.Key{}
	for _, r := range rows {
		res := r.result()
		match, _ := filter.Match(res)
		places := make([]*[4]int, len(res.Values))
		if match.Any() {
			full := r.result()
			filter.Apply(res)
			tables := projections[0].ProjectValues(res)
			keys := [4]benchproc.Key{}
			for i := 1; i < 4; i++ {
				keys[i] = projections[i].Project(res)
			}
			j := 0
			for i := range full.Values {
				if !match.Test(i) {
					continue
				}
				place := [4]int{seen[0].id(tables[j])}
				for p := 1; p < 4; p++ {
					place[p] = seen[p].id(keys[p])
				}
				j++
				places[i] = &place
				cell := [3]int{place[0], place[1], place[2]}
				if residues[cell] == nil {
					cells = append(cells, cell)
				}
				residues[cell] = append(residues[cell], keys[3])
			}
		}
		out.Places = append(out.Places, places)
	}
	for p, projection := range projections {
		out.Columns[p] = []string{}
		for _, f := range projection.FlattenedFields() {
			out.Columns[p] = append(out.Columns[p], f.Name)
		}
		out.Tuples[p] = [][]string{}
		for _, k := range seen[p].keys {
			values := []string{}
			for _, f := range projection.FlattenedFields() {
				values = append(values, k.Get(f))
			}
			out.Tuples[p] = append(out.Tuples[p], values)
		}
		sorted := append([]benchproc.Key{}, seen[p].keys...)
		benchproc.SortKeys(sorted)
		out.Sorted[p] = []int{}
		for _, k := range sorted {
			out.Sorted[p] = append(out.Sorted[p], seen[p].ids[k])
		}
	}
	out.Varying = [][]string{}
	for _, cell := range cells {
		names := []string{}
		for _, f := range benchproc.NonSingularFields(residues[cell]) {
			names = append(names, f.Name)
		}
		out.Varying = append(out.Varying, names)
	}
	return &out
}

// encode runs the cases; one case a line, so that a change of one is a change of one line.
func (f *fixture) encode() []byte {
	var b bytes.Buffer
	line := func(v any) []byte {
		var one bytes.Buffer
		e := json.NewEncoder(&one)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			panic(err)
		}
		return bytes.TrimRight(one.Bytes(), "\n")
	}
	fmt.Fprintf(&b, "{\"about\": %s,\n\"rows\": %s,\n\"filters\": [", line(f.About), line(f.Rows))
	for i := range f.Filters {
		f.Filters[i].run(f.Rows[f.Filters[i].Rows])
		fmt.Fprintf(&b, "%s\n%s", comma(i), line(f.Filters[i]))
	}
	b.WriteString("],\n\"spaces\": [")
	for i := range f.Spaces {
		f.Spaces[i].run(f.Rows[f.Spaces[i].Rows])
		fmt.Fprintf(&b, "%s\n%s", comma(i), line(f.Spaces[i]))
	}
	b.WriteString("]}\n")
	return b.Bytes()
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

func main() {
	check := flag.Bool("check", false, "compare with the stored files instead of writing them")
	count := flag.Int("random", 0, "write this many random cases of each kind")
	seed := flag.Int64("seed", 1, "seed of random cases")
	to := flag.String("to", "random.json", "file for -random")
	flag.Parse()

	files := map[string]*fixture{fixtures + "cases.json": listed(), fixtures + "random.json": random(1, 150)}
	if *count > 0 {
		files = map[string]*fixture{*to: random(*seed, *count)}
	}
	for path, f := range files {
		made := f.encode()
		if *check {
			stored, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(made, stored) {
				fmt.Fprintf(os.Stderr, "%s is not what benchproc gives now (%v)\n", path, err)
				os.Exit(1)
			}
			continue
		}
		if err := os.WriteFile(path, made, 0o666); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
