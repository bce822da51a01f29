import pyperf

runner = pyperf.Runner(processes=2, values=3, warmups=1, min_time=0.001)
runner.timeit("sum", stmt="sum(values)", setup="values = list(range(512))")
runner.timeit("sorted", stmt="sorted(values)", setup="values = [n * 7 % 512 for n in range(512)]")
