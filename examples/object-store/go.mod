module objectstore

go 1.21
