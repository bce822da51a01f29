package sums;

import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.*;

@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 1, time = 20, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 20, timeUnit = TimeUnit.MILLISECONDS)
public class Sums {
    @Param({"64", "512"})
    int size;
    long[] values;

    @Setup
    public void fill() {
        values = LongStream.range(0, size).toArray();
    }

    @Benchmark
    public long sum() {
        long sum = 0;
        for (long value : values) sum += value;
        return sum;
    }
}
