package objectstore

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
)

// A Record is one entry of a dataset.
type Record struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
}

// A Dataset is a chain of snapshots in a store.
type Dataset struct {
	store    Store
	name     string
	previous string
	number   int
}

// manifest says which object holds a snapshot's records, and which snapshot came before.
type manifest struct {
	Records  string `json:"records"`
	Count    int    `json:"count"`
	Previous string `json:"previous,omitempty"`
}

// NewDataset begins an empty dataset.
func NewDataset(store Store, name string) *Dataset {
	return &Dataset{store: store, name: name}
}

// Write appends a snapshot, with two calls of the store.
func (d *Dataset) Write(ctx context.Context, records []Record) error {
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	for _, record := range records {
		if err := encoder.Encode(record); err != nil {
			return fmt.Errorf("encoding record %d: %w", record.ID, err)
		}
	}
	key := fmt.Sprintf("%s/%06d", d.name, d.number)
	if err := d.store.Put(ctx, key+".jsonl", lines.Bytes()); err != nil {
		return fmt.Errorf("writing records of %s: %w", key, err)
	}
	text, err := json.Marshal(manifest{key + ".jsonl", len(records), d.previous})
	if err != nil {
		return fmt.Errorf("encoding the manifest of %s: %w", key, err)
	}
	if err := d.store.Put(ctx, key+".json", text); err != nil {
		return fmt.Errorf("writing the manifest of %s: %w", key, err)
	}
	d.previous = key + ".json"
	d.number++
	return nil
}

// Latest reads the records of the last snapshot, with two calls of the store.
func (d *Dataset) Latest(ctx context.Context) ([]Record, error) {
	if d.previous == "" {
		return nil, ErrNotFound
	}
	text, err := d.store.Get(ctx, d.previous)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", d.previous, err)
	}
	var latest manifest
	if err := json.Unmarshal(text, &latest); err != nil {
		return nil, fmt.Errorf("the manifest %s: %w", d.previous, err)
	}
	lines, err := d.store.Get(ctx, latest.Records)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", latest.Records, err)
	}
	records := make([]Record, 0, latest.Count)
	decoder := json.NewDecoder(bytes.NewReader(lines))
	for decoder.More() {
		var record Record
		if err := decoder.Decode(&record); err != nil {
			return nil, fmt.Errorf("the records %s: %w", latest.Records, err)
		}
		records = append(records, record)
	}
	return records, nil
}
