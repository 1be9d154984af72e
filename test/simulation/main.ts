import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** `npm run simulate -- --seeds 200 --from 1` runs the simulation test with more seeds. */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    /** The number of processes, which run their seeds at the same time. */
    jobs: { type: 'string', default: '2' },
  },
})
const readCount = (name: 'seeds' | 'from' | 'jobs'): number => {
  if (/^[1-9]\d{0,8}$/.test(values[name])) return Number(values[name])
  console.error(`--${name} is a whole number from 1, not ${values[name]}.`)
  process.exit(2)
}
const seeds = readCount('seeds')
const from = readCount('from')
const jobs = readCount('jobs')

const root = join(import.meta.dirname, '../..')
const share = Math.ceil(seeds / jobs)

/** Runs a share of the seeds in a process. Resolves to the exit code. */
const runShare = (job: number): Promise<number> => {
  const first = from + job * share
  const count = Math.min(share, from + seeds - first)
  if (count <= 0) return Promise.resolve(0)
  const child = spawn(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config=test/vitest.config.ts',
      '--disableConsoleIntercept',
      'test/simulation/simulation.test.ts',
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        FULL: '1',
        SIMULATE_FROM: String(first),
        SIMULATE_SEEDS: String(count),
      },
    },
  )
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

const codes = await Promise.all(Array.from({ length: jobs }, (_, job) => runShare(job)))
const failed = codes.some((code) => code !== 0)
console.log(
  failed
    ? 'A seed failed: replay it alone with --seeds 1 --from <seed>.'
    : `Seeds ${from} to ${from + seeds - 1}: nothing lost, nothing false.`,
)
process.exit(failed ? 1 : 0)
