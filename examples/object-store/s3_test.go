package objectstore

import (
	"context"
	"flag"
	"net/http"
	"os"
	"testing"
)

var integration = flag.Bool("integration", false, "use the S3 servers at $S3_VERSITYGW and $S3_MOTO")

// backends are the servers of services.toml.
var backends = []struct{ name, variable, usual string }{
	{"versitygw", "S3_VERSITYGW", "http://127.0.0.1:7070"},
	{"moto", "S3_MOTO", "http://127.0.0.1:7071"},
}

func BenchmarkS3_WriteRoundTrip(b *testing.B) {
	if !*integration {
		b.Skip("needs S3 servers: start those of services.toml, and say -integration")
	}
	for _, backend := range backends {
		b.Run(backend.name, func(b *testing.B) {
			endpoint := os.Getenv(backend.variable)
			if endpoint == "" {
				endpoint = backend.usual
			}
			roundTrips(b, endpoint)
		})
	}
}

// roundTrips writes a snapshot and reads it again. Every operation writes the same keys, so that a server does not
// fill up while it is measured.
func roundTrips(b *testing.B, endpoint string) {
	ctx := context.Background()
	store := &S3{
		Endpoint: endpoint, Bucket: "bench", AccessKey: "bench", SecretKey: "bench-secret",
		Client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2}},
	}
	if err := store.CreateBucket(ctx); err != nil {
		b.Fatal(err)
	}
	records := batch(20)
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		dataset := NewDataset(store, "round-trip")
		if err := dataset.Write(ctx, records); err != nil {
			b.Fatal(err)
		}
		read, err := dataset.Latest(ctx)
		if err != nil {
			b.Fatal(err)
		}
		if len(read) != len(records) {
			b.Fatalf("wrote %d records and read %d", len(records), len(read))
		}
	}
}
