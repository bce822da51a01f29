module join

go 1.21
