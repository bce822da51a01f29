import { writeFileSync } from 'node:fs';
import { Bench } from 'tinybench';

const values = Array.from({ length: 512 }, (_, n) => (n * 7) % 512);
const bench = new Bench({ time: 20, warmupTime: 5, retainSamples: true });
bench.add('sum', () => values.reduce((sum, value) => sum + value, 0));
bench.add('sorted', () => values.toSorted((a, b) => a - b));
await bench.run();
const tasks = bench.tasks.map(({ name, result }) => ({ name, result }));
writeFileSync(process.argv[2], JSON.stringify(tasks));
