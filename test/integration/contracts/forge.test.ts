import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { GAS_LIMITS } from '../../contracts/gas-limits.ts'
import { MUTANTS } from '../../contracts/mutants.ts'
import { isFull } from '../../support/full.ts'
import { forgeProgram, forgeTest, OUT, ROOT } from './support/forge.ts'

const program = forgeProgram()
if (!program) {
  console.log(
    'Skipped: forge is not installed (npm install --no-save @foundry-rs/forge-linux-amd64).',
  )
}

/** The kinds of calls of the handler contract, in the order of its enum. */
const CALLS = [
  'deploy',
  'transfer',
  'donate',
  'donateWithAuthorization',
  'activate',
  'release',
  'reject',
  'releaseSurplus',
  'close',
  'cancel',
  'terminate',
  'refund',
  'returnTransfers',
  'abandon',
] as const
const ENDS = ['surplus refunded', 'target missed', 'expired', 'cancelled', 'terminated', 'done']

const GAS_CHANGE = 0.05

/** Each random sequence of the invariant tests has 20,000 calls. The other steps let time pass. */
const SEQUENCES = isFull ? 10 : 1
const DEPTH = 23_000
const CALLS_IN_SEQUENCE = 20_000
/** At least so many calls of each kind must succeed in a sequence. */
const OF_EACH = 100
const RANDOM = { FOUNDRY_INVARIANT_DEPTH: '6000', FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: '0' }
const MINUTES = 60_000

const readJson = (path: string): Record<string, string> =>
  JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>

test.runIf(process.env.CI)('forge is installed where the tests must run', () => {
  expect(program).not.toBeNull()
})

describe.skipIf(!program)('the escrow contract', () => {
  const forge = (args: readonly string[], env?: Record<string, string>) =>
    forgeTest(program ?? '', args, env)

  test('keeps its promises', { timeout: 5 * MINUTES }, async () => {
    const run = await forge(['--no-match-contract', 'GasTest|InvariantsTest'])
    expect(run.ok, run.output).toBe(true)
    expect(Number(/(\d+) tests passed/.exec(run.output)?.[1])).toBeGreaterThan(150)
  })

  const sequences = Array.from({ length: SEQUENCES }, (_, index) => index + 1)
  test.each(sequences)(
    'keeps its invariants in the random calls of sequence %i',
    async (seed) => {
      const env = { FOUNDRY_INVARIANT_DEPTH: String(DEPTH), FOUNDRY_FUZZ_SEED: String(seed) }
      const run = await forge(['--match-contract', 'InvariantsTest'], env)
      expect(run.ok, run.output.slice(-3_000)).toBe(true)
      const lines = readFileSync(join(OUT, 'calls.txt'), 'utf8').trim().split('\n')
      const calls = lines.slice(0, CALLS.length).map((line) => line.split(' ').map(Number))
      const ends = lines.slice(CALLS.length).map((line) => Number(line.split(' ')[1]))
      const sumOf = (column: number) => calls.reduce((sum, row) => sum + (row[column] ?? 0), 0)
      expect(sumOf(0)).toBeGreaterThan(CALLS_IN_SEQUENCE)
      expect(sumOf(1) / sumOf(0)).toBeGreaterThan(0.3)
      expect(CALLS.filter((_, index) => (calls[index]?.[1] ?? 0) < OF_EACH)).toEqual([])
      expect(ENDS.filter((_, index) => (ends[index] ?? 0) === 0)).toEqual([])
    },
    5 * MINUTES,
  )

  test('needs the gas that is stored', { timeout: 5 * MINUTES }, async () => {
    const run = await forge(['--isolate', '--match-contract', 'GasTest'])
    expect(run.ok, run.output).toBe(true)
    const measured = readJson(join(OUT, 'gas/escrow.json'))
    const stored = readJson(join(ROOT, 'test/contracts/gas.json'))
    const names = Object.keys(GAS_LIMITS)
    expect(names.filter((name) => Number(measured[name]) > (GAS_LIMITS[name] ?? 0))).toEqual([])
    expect(Object.keys(measured).sort()).toEqual(Object.keys(stored).sort())
    const changed = Object.keys(stored).filter((name) => {
      const before = Number(stored[name])
      return Math.abs(Number(measured[name]) - before) > GAS_CHANGE * before
    })
    // If the change is intended, copy test/contracts/out/gas/escrow.json to
    // test/contracts/gas.json.
    expect(changed).toEqual([])
  })

  describe('with a fault', () => {
    const factoryOf = (name: string) => ({
      ESCROW_FACTORY: `test/contracts/out/mutants/${name}.json`,
    })

    // The compiler blocks its process, so the tests run it in another process.
    beforeAll(async () => {
      const script = join(import.meta.dirname, 'support/compile-mutants.ts')
      await promisify(execFile)(process.execPath, [script], { cwd: ROOT })
    }, 20 * MINUTES)

    test('is the reason of the failures below', { timeout: 5 * MINUTES }, async () => {
      const names = MUTANTS.map((mutant) => mutant.test)
      if (isFull) names.push('invariantBooks')
      const env = { ...factoryOf('none'), ...RANDOM }
      const run = await forge(['--match-test', `^(${names.join('|')})\\(`], env)
      expect(run.ok, run.output.slice(-3_000)).toBe(true)
    })

    test.each(MUTANTS.map((mutant, index) => ({ ...mutant, index })))(
      'fails: $name',
      { timeout: 5 * MINUTES },
      async ({ index, test: name, random }) => {
        const run = await forge(['--match-test', `^${name}\\(`], factoryOf(String(index)))
        expect(run.output).toMatch(new RegExp(`^\\[FAIL.*\\] ${name}\\(`, 'm'))
        if (!random || !isFull) return
        const env = { ...factoryOf(String(index)), ...RANDOM }
        const calls = await forge(['--match-contract', 'InvariantsTest'], env)
        expect(calls.output).toMatch(/^\[FAIL(?!.*setUp\(\))/m)
      },
    )
  })
})
