import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run as admin } from '../../../src/commands/admin.ts'
import { run as checkSettings } from '../../../src/commands/check-settings.ts'
import { loadSigningKeys } from '../../../src/domain/account/index.ts'
import { address } from '../../support/chain-facts.ts'
import { runCommand } from '../../support/command.ts'
import { halfEnvironment } from '../../support/halves.ts'
import { createTestCampaign, createUser, createWorld, TEST_CHAIN } from '../../support/world.ts'

/** The URL of a port on which no node answers. */
const rpcUrl = 'http://127.0.0.1:9'
const [usdc] = TEST_CHAIN.tokens

const chains = (change: object) =>
  JSON.stringify([{ ...TEST_CHAIN, name: 'one', rpc: [rpcUrl], retired: true, ...change }])
const other = { ...usdc, address: `0x${'1'.repeat(40)}` }

test.for([
  ['no SECRET', { SECRET: '' }, 'the API and the worker need SECRET.'],
  ['no CHAINS', { CHAINS: '' }, 'the API and the worker need CHAINS.'],
  ['no chain of a campaign', { CHAINS: chains({ id: 5 }) }, 'no longer name chain 31337'],
  [
    'no token of a campaign',
    { CHAINS: chains({ tokens: [] }), DEFAULT_CURRENCY: 'ETH' },
    'no longer name USDC',
  ],
  ['no such currency', { DEFAULT_CURRENCY: 'NOPE' }, 'DEFAULT_CURRENCY NOPE is neither'],
  ['two tokens of one name', { CHAINS: chains({ tokens: [usdc, other] }) }, 'two assets called'],
  ['no such file', { SANCTIONS_FILE: join(import.meta.dirname, 'none') }, 'SANCTIONS_FILE'],
  [
    'decimals that are not those stored',
    { CHAINS: chains({ tokens: [{ ...usdc, decimals: 18 }] }) },
    '18 decimals, and the database 6',
  ],
] as const)('check-settings finds %s, because no start is possible', async ([, env, words]) => {
  const { ctx, url: databaseUrl } = await createWorld()
  await createTestCampaign(ctx, { creator: await createUser(ctx), account: address('campaign') })
  const good = halfEnvironment({ databaseUrl, rpcUrl, env: { CHAINS: chains({}) } })
  const right = await runCommand(checkSettings, [], good)
  expect(right).toMatchObject({ code: 0, errors: '' })
  expect(right.out).toMatch(/^note {3}CHAINS, chain 31337, node 1: .* did not answer/m)
  const { code, out } = await runCommand(checkSettings, [], { ...good, ...env })
  const wrong = out.split('\n').filter((line) => line.startsWith('WRONG'))
  expect(wrong).toEqual([expect.stringContaining(words)])
  expect(code).toBe(1)
})

test('check-settings finds the database of another environment, on which no process starts', async () => {
  const { ctx, url: databaseUrl } = await createWorld()
  await ctx.sql`insert into database_clock (id, trusted_at) values (1, now()) on conflict do nothing`
  const env = halfEnvironment({ databaseUrl, rpcUrl, env: { CHAINS: chains({}) } })
  const grant = (more = {}) => runCommand(admin, ['grant', 'ada@example.org'], { ...env, ...more })
  await loadSigningKeys(ctx)
  const wrong = { SECRET: 'a secret of another database, long enough' }
  expect((await grant(wrong)).errors).toContain('Wrong setting: SECRET')
  expect(await ctx.sql`select environment from database_clock`).toEqual([{ environment: null }])
  expect((await grant()).errors).toContain('There is no such user.')
  expect(await ctx.sql`select environment from database_clock`).toEqual([
    { environment: 'sandbox' },
  ])
  await ctx.sql`update database_clock set environment = 'production'`
  const words = 'ENVIRONMENT is sandbox, and the database is of production. Correct ENVIRONMENT'
  expect((await grant()).errors).toContain(words)
  expect((await runCommand(checkSettings, [], env)).out).toContain(words)
})
