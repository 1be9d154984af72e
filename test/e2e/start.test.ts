import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import postgres from 'postgres'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { readRuntime } from '../../src/local/runtime.ts'
import { halfEnvironment } from '../support/halves.ts'
import { newFolder } from '../support/new-folder.ts'
import { type Program, runProgram } from '../support/program.ts'
import { LAST_LINE } from '../support/service.ts'
import { hasAnvil, startTestChain } from '../support/test-chain.ts'
import { waitFor } from '../support/wait-for.ts'
import { createWorld } from '../support/world.ts'

const hasShell = spawnSync('bash', ['-c', 'command -v curl sed']).status === 0

type Instance = Program & {
  /** The printed output without the log lines. */
  messages(): string
}

/** Runs the process of `npm start` without npm, in a folder for this test. */
const start = (dataDir: string, env: Record<string, string> = {}): Instance => {
  const program = runProgram('src/commands/main.ts', { DATA_DIR: dataDir, PORT: '0', ...env })
  return { ...program, messages: () => program.output().replaceAll(/^\{.*\}\n/gm, '') }
}

const ready = async (instance: Instance): Promise<void> => {
  await waitFor('the instance to be ready', instance.output, (text) => text.includes(LAST_LINE))
}

/** The raised amounts of the campaigns of a new instance. Their donations are final. */
const seededAmounts = async (instance: Instance): Promise<unknown> => {
  const [address = ''] = /http:\/\/\S+/.exec(instance.messages()) ?? []
  const answer = await fetch(`${address}/api/campaigns`)
  const { campaigns } = (await answer.json()) as { campaigns: Record<string, unknown>[] }
  return campaigns.map((campaign) => campaign.current_amount)
}

/** Waits for the reconciliation of the blocks in which the chain was set up. Returns its result. */
const recoveredAtStart = async (folder: string) => {
  const sql = postgres(readRuntime(folder)?.databaseUrl ?? '', { max: 1, onnotice: () => {} })
  const rows = await waitFor(
    'the first reconciliation',
    () => sql`select recovered::int from reconciliation_run where status = 'finished'`,
    ({ length }) => length > 0,
  )
  await sql.end()
  return [...rows]
}

/** What the sync committee has proven: its checkpoints, and the newest block. */
const proven = async (folder: string) => {
  const sql = postgres(readRuntime(folder)?.databaseUrl ?? '', { max: 1, onnotice: () => {} })
  const [row] = await sql<{ checkpoints: string[]; block: number }[]>`
    select array_agg('0x' || encode(root, 'hex')) filter (where kind = 'bootstrap') as checkpoints,
           max(block_number)::int as block from committee_message`
  await sql.end()
  return { checkpoints: row?.checkpoints ?? [], block: row?.block ?? 0 }
}

/** Lists processes that still use the folder. */
const leftOver = (folder: string): string =>
  spawnSync('pgrep', ['-f', folder], { encoding: 'utf8' }).stdout.trim()

describe.skipIf(!hasAnvil || !hasShell)('npm start', () => {
  test('prints lines that work when they are pasted, ends its children, and keeps what it held', async () => {
    const folder = newFolder()
    const first = start(folder)
    await ready(first)
    expect(await seededAmounts(first)).toEqual([225, 225])
    const lines = /^API=[\s\S]*?^sleep .*$/m.exec(first.output())?.[0] ?? ''
    const pasted = spawnSync('bash', ['-c', lines], { encoding: 'utf8' })
    const [before, donation, after] = pasted.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(before).toMatchObject({ current_amount: 225 })
    expect(donation).toMatchObject({ status: 'completed' })
    const { checkpoints, block } = await proven(folder)
    expect(checkpoints).toEqual([readRuntime(folder)?.chains[0]?.checkpoint])
    const paid = donation?.transaction as { blockNumber: number } | undefined
    expect(block).toBeGreaterThanOrEqual(paid?.blockNumber ?? Number.NaN)
    expect(first.output()).not.toContain('finality_')
    expect(after).toMatchObject({ current_amount: 250 })
    expect(await recoveredAtStart(folder)).toEqual([{ recovered: 0 }])
    expect(first.output()).not.toContain('missed transfers were recovered')

    first.interrupt()
    expect(await first.exited).toBe(0)
    expect(leftOver(folder)).toBe('')

    const second = start(folder)
    await ready(second)
    const runtime = readRuntime(folder)
    const campaign = await fetch(`${runtime?.apiUrl}/api/campaigns/${String(after?._id)}`)
    expect(await campaign.json()).toMatchObject({ current_amount: 250 })
    const later = await waitFor(
      'the same committee to prove a later block',
      () => proven(folder),
      (now) => now.block > block,
    )
    expect(later.checkpoints).toEqual(checkpoints)
    expect(runtime?.chains[0]?.checkpoint).toBe(checkpoints[0])

    const same = start(folder)
    expect(await same.exited).toBe(1)
    expect(same.messages()).toMatch(/^Another Fundproof \(pid \d+\) is already running on .*\n$/)

    const port = new URL(runtime?.apiUrl ?? '').port
    const taken = start(newFolder(), { PORT: port })
    expect(await taken.exited).toBe(1)
    expect(taken.output()).toMatch(new RegExp(`Port ${port} is taken: .*\\n$`))

    const sql = postgres(runtime?.databaseUrl ?? '', { max: 1, onnotice: () => {} })
    await sql`
      insert into drizzle.__drizzle_migrations (hash, created_at) values ('of the future', 9999999999999)`
    await sql.end()
    second.interrupt()
    expect(await second.exited).toBe(0)
    const old = start(folder)
    expect(await old.exited).toBe(1)
    expect(old.messages()).toMatch(/^The database has a newer schema than this version.*\n$/)
    expect(leftOver(folder)).toBe('')
  }, 120_000)

  test('starts with settings that refuse its example of an escrow, and says that it is left out', async () => {
    const instance = start(newFolder(), { MULTISIG_THRESHOLD: '10', ESCROW_MAX_TARGET: '1000' })
    await ready(instance)
    expect(await seededAmounts(instance)).toEqual([225])
    expect(instance.output()).toContain('must have at least 2 addresses to sign a milestone')
    instance.interrupt()
    expect(await instance.exited).toBe(0)
  }, 60_000)

  test('writes no addresses into its folder in production', async () => {
    const [chain, world] = await Promise.all([startTestChain(), createWorld()])
    const folder = newFolder()
    const instance = start(folder, {
      ...halfEnvironment({ databaseUrl: world.url, rpcUrl: chain.url }),
      ENVIRONMENT: 'production',
      SMTP_URL: 'smtp://127.0.0.1:9',
      PUBLIC_URL: 'https://give.example',
    })
    await waitFor('the instance to be ready', instance.output, (text) =>
      text.includes('Fundproof is ready'),
    )
    expect(readdirSync(folder)).toEqual([])
  })

  test('stops at a wrong PORT with one line that names it', async () => {
    const instance = start(newFolder(), { PORT: 'many' })
    expect(await instance.exited).toBe(1)
    expect(instance.output()).toMatch(/^Wrong setting: PORT[^\n]*\n$/)
  })

  test.each([
    ['CHAINS', '[{"id":'],
    ['PRICES', '{"ETH/USDC":"a lot"}'],
    ['SECRET', 'short'],
    ['ENVIRONMENT', 'staging'],
  ])('refuses a wrong %s with one line that names it', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(
      expect.objectContaining({
        name: 'StartError',
        message: expect.stringMatching(new RegExp(`^Wrong setting: ${name}[^\\n]*$`)),
      }),
    )
  })
})
