import { bench, run } from 'mitata';

const values = Array.from({ length: 512 }, (_, n) => (n * 7) % 512);
bench('sum', () => values.reduce((sum, value) => sum + value, 0));
bench('sorted', () => values.toSorted((a, b) => a - b));
await run({ format: 'json' });
