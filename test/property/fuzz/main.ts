import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** `npm run fuzz -- --requests 20000 --seed 7` runs the fuzz test with more requests. */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
})
for (const [name, value] of Object.entries(values)) {
  if (!/^\d{1,10}$/.test(value)) {
    console.error(`--${name} is a number, not ${value}.`)
    process.exit(2)
  }
}
console.log(`${values.requests} requests, seed ${values.seed}`)
const root = join(import.meta.dirname, '../../..')
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--config=test/vitest.config.ts',
    '--disableConsoleIntercept',
    'test/property/fuzz.test.ts',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FUZZ_REQUESTS: values.requests, FUZZ_SEED: values.seed },
  },
)
process.exit(status ?? 1)
