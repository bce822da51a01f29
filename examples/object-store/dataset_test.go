package objectstore

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"
)

// latency is what a call of the store in memory takes at least.
const latency = 10 * time.Microsecond

// writes is how many snapshots an operation of a benchmark appends.
const writes = 5

// batch makes records that are the same every time.
func batch(count int) []Record {
	records := make([]Record, count)
	for i := range records {
		records[i] = Record{ID: i, Text: fmt.Sprintf("record %d of %d", i, count)}
	}
	return records
}

func TestLatestReadsWhatWasWrittenLast(t *testing.T) {
	ctx := context.Background()
	dataset := NewDataset(&Memory{}, "test")
	for count := 1; count <= 3; count++ {
		if err := dataset.Write(ctx, batch(count)); err != nil {
			t.Fatal(err)
		}
	}
	records, err := dataset.Latest(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(records, batch(3)) {
		t.Fatalf("read %v", records)
	}
}

func BenchmarkDataset_SequentialWrites(b *testing.B) {
	ctx := context.Background()
	records := batch(20)
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		dataset := NewDataset(&Memory{Latency: latency}, "bench")
		for n := 0; n < writes; n++ {
			if err := dataset.Write(ctx, records); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// A write must not get more expensive with the snapshots before it: the benchmark fails if it calls the store more often.
func BenchmarkDataset_SequentialWrites_StoreCallCount(b *testing.B) {
	ctx := context.Background()
	records := batch(20)
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		store := &Counting{Store: &Memory{Latency: latency}}
		dataset := NewDataset(store, "bench")
		for n := 0; n < writes; n++ {
			before := store.Calls
			if err := dataset.Write(ctx, records); err != nil {
				b.Fatal(err)
			}
			if calls := store.Calls - before; calls != 2 {
				b.Fatalf("write %d called the store %d times, and not twice", n+1, calls)
			}
		}
		b.ReportMetric(float64(store.Calls)/writes, "store-calls/write")
	}
}
