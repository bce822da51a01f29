import { bench, describe } from 'vitest';

const values = Array.from({ length: 512 }, (_, n) => (n * 7) % 512);
describe('sums', () => {
    bench('sum', () => void values.reduce((sum, value) => sum + value, 0), { time: 20, warmupTime: 5 });
    bench('sorted', () => void values.toSorted((a, b) => a - b), { time: 20, warmupTime: 5 });
});
