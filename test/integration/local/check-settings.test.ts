import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { run as checkSettings } from '../../../src/commands/check-settings.ts'
import { loadSigningKeys } from '../../../src/domain/account/index.ts'
import { systemClock } from '../../../src/kernel/ports/clock.ts'
import { listen } from '../../clients/support/listen.ts'
import { createTestBeacon, TEST_BEACON_NETWORK } from '../../support/beacon/serve-beacon.ts'
import { runCommand } from '../../support/command.ts'
import { halfEnvironment } from '../../support/halves.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createWorld, TEST_CHAIN, TOKEN } from '../../support/world.ts'
import { startSmtpServer } from '../mail/support/smtp-server.ts'

const setUp = async () => {
  const [{ url: databaseUrl }, { url: rpcUrl }, smtp] = await Promise.all([
    createWorld(),
    startTestChain(),
    startSmtpServer(),
  ])
  const env = { SMTP_URL: smtp.url, DONATION_EXPIRY_HOURS: '' }
  return { smtp, rpcUrl, env: halfEnvironment({ databaseUrl, rpcUrl, env }) }
}

test.skipIf(!hasAnvil)('check-settings asks database, nodes and mail server once', async () => {
  const { smtp, env } = await setUp()
  const { code, out, errors } = await runCommand(checkSettings, [], env)
  expect(out).toMatch(/^Set: PORT, DATABASE_URL, CHAINS, PRICES, SECRET, SMTP_URL, LOG_LEVEL,/)
  expect(out).toMatch(/^Not set, .*: ENVIRONMENT, HOST, .*DONATION_EXPIRY_HOURS/m)
  expect(out).toMatch(
    /^ok {5}DATABASE_URL: PostgreSQL \d+.* answers, with the schema of this version\.$/m,
  )
  expect(out).toMatch(
    /^ok {5}CHAINS, chain 31337, node 1: 127.0.0.1:\d+ answers; its finalized block is \d+\.$/m,
  )
  expect(out).toMatch(/^ok {5}SMTP_URL: the mail server answers, and accepts the login\.$/m)
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  expect(smtp.messages).toEqual([])
})

test.skipIf(!hasAnvil)(
  'check-settings names each wrong setting, and prints no secret',
  async () => {
    const { rpcUrl, env } = await setUp()
    const node = rpcUrl.replace('//', '//one:hidden@')
    const token = { symbol: 'USDC', address: TOKEN, decimals: 18 }
    const chains = [
      { ...TEST_CHAIN, name: 'one', rpc: [node], tokens: [token] },
      { ...TEST_CHAIN, id: 5, name: 'two', rpc: [node], tokens: [] },
      { id: 6, name: 'three', rpc: ['http://127.0.0.1:9/hidden'] },
    ]
    const { code, out } = await runCommand(checkSettings, [], {
      ...env,
      CHAINS: JSON.stringify(chains),
      DATABASE_URL: env.DATABASE_URL?.replace(/:[^:@]*@/, ':hidden@'),
      SMTP_URL: 'smtp://one:hidden@127.0.0.1:9',
    })
    expect(code).toBe(1)
    expect(out).toMatch(/^WRONG {2}DATABASE_URL: password authentication failed/m)
    expect(out).toMatch(/^WRONG {2}CHAINS, chain 31337, node 1: USDC has 6 decimals, not 18\.$/m)
    expect(out).toMatch(
      /^WRONG {2}CHAINS, chain 5, node 1: 127.0.0.1:\d+ is a node of chain 31337\.$/m,
    )
    expect(out).toMatch(/^WRONG {2}CHAINS, chain 6, node 1: 127.0.0.1:9 did not answer/m)
    expect(out).toMatch(/^WRONG {2}SMTP_URL: /m)
    expect(out).not.toContain('hidden')
  },
)

test.skipIf(!hasAnvil)('check-settings finds a retired token that was never stored', async () => {
  const { rpcUrl, env } = await setUp()
  const [usdc] = TEST_CHAIN.tokens
  const gone = { ...usdc, address: `0x${'1'.repeat(40)}`, retired: true }
  const said = async (token: object) => {
    const chains = [{ ...TEST_CHAIN, name: 'one', rpc: [rpcUrl], tokens: [token] }]
    const more = { CHAINS: JSON.stringify(chains), DEFAULT_CURRENCY: 'ETH' }
    return (await runCommand(checkSettings, [], { ...env, ...more })).out
  }
  expect(await said(gone)).toMatch(
    /^WRONG .* finds no token USDC at .*never used here: remove it\.$/m,
  )
  await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'anvil_setCode', params: [TOKEN, '0x'] }),
  })
  expect(await said({ ...usdc, retired: true })).not.toContain('WRONG')
})

test('check-settings says if neither SECRET nor its earlier value opens the keys', async () => {
  const world = await createWorld()
  await loadSigningKeys(world.ctx)
  const env = halfEnvironment({ databaseUrl: world.url, rpcUrl: 'http://127.0.0.1:9' })
  const said = async (more: Record<string, string>) =>
    (await runCommand(checkSettings, [], { ...env, ...more })).out
  const other = 'another secret, which is long enough'
  expect(await said({ SECRET: other })).toMatch(
    /^WRONG {2}DATABASE_URL: .*SECRET is not the SECRET/m,
  )
  const both = await said({ SECRET: other, SECRET_PREVIOUS: env.SECRET ?? '' })
  expect(both).toMatch(/^Set: .*SECRET, SECRET_PREVIOUS/)
  expect(both).toMatch(/^ok {5}DATABASE_URL/m)
})

test('check-settings says what stops the start', async () => {
  const { code, out } = await runCommand(checkSettings, [], { PORT: 'many' })
  expect(code).toBe(1)
  expect(out).toMatch(/^WRONG {2}Wrong setting: PORT must be a number\.$/m)
})

test('check-settings says how a node refused the question', async () => {
  const server = createServer((request, response) => {
    const isLimit = request.url?.startsWith('/limit')
    response.writeHead(isLimit ? 429 : 401)
    response.end(isLimit ? '{"error":"too many of hidden-key"}' : 'a wrong key')
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const closed = await listen(createServer())
  await closed.close()
  const chains = [
    { id: 1, name: 'one', rpc: [`${url}/limit/hidden-key`, `${url}/key`, closed.url] },
  ]
  const { out } = await runCommand(checkSettings, [], { CHAINS: JSON.stringify(chains) })
  expect(out).toMatch(
    /node 1: 127.0.0.1:\d+ \(HTTP 429\) refused eth_chainId: "too many of \*\*\*"$/m,
  )
  expect(out).toMatch(/node 2: The answer of 127.0.0.1:\d+ \(HTTP 401\) is not JSON\.$/m)
  expect(out).toMatch(/node 3: 127.0.0.1:\d+ did not answer: .*ECONNREFUSED/m)
})

test.skipIf(!hasAnvil)(
  'check-settings verifies what a beacon node shows, and names a checkpoint of another chain',
  async () => {
    const { url: databaseUrl } = await createWorld()
    const chain = await startTestChain()
    const beacon = await createTestBeacon(chain, systemClock)
    const { url } = await beacon.serve()
    const ask = (checkpoint: string) =>
      runCommand(checkSettings, [], {
        ...halfEnvironment({ databaseUrl, rpcUrl: chain.url }),
        CHAINS: JSON.stringify([
          {
            ...{ ...TEST_CHAIN, name: 'test', rpc: [chain.url], beacon: [url], checkpoint },
            beaconNetwork: TEST_BEACON_NETWORK,
          },
        ]),
      })
    expect((await ask(beacon.checkpoint)).out).toMatch(
      /^ok {5}CHAINS, chain 31337, beacon 1: 127.0.0.1:\d+ proves block 0, from the checkpoint on\.$/m,
    )
    const other = (await createTestBeacon(chain, systemClock, { seed: 7 })).checkpoint
    const { code, out } = await ask(other)
    expect(code).toBe(1)
    expect(out).toMatch(
      /^WRONG {2}CHAINS, chain 31337, beacon 1: 127.0.0.1:\d+ answered HTTP 404\.$/m,
    )
  },
)
