module example.com/keyfirst/bench/engine

go 1.26.0
