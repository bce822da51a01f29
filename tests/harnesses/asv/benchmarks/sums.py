class Sums:
    params = [64, 512]
    param_names = ["size"]
    number, repeat, rounds, warmup_time = 20, 3, 1, 0.0

    def setup(self, size):
        self.values = list(range(size))

    def time_sum(self, size):
        sum(self.values)
