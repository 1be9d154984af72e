import { mkdtempSync, rmSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Interface, Wallet } from 'ethers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testSanctions } from '../../../contracts-abi/test-contracts.ts'
import { createSanctionsOracle, createStateReader } from '../../../src/chain/index.ts'
import { createSanctionScreen, openAddressFile } from '../../../src/domain/people/index.ts'
import { systemClock } from '../../../src/kernel/ports/clock.ts'
import { createLog } from '../../../src/kernel/ports/log.ts'
import type { SanctionScreen } from '../../../src/kernel/ports/sanctions.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { deploy } from '../../support/test-wallets.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createTestCampaign, testChainConfig } from '../../support/world.ts'
import {
  campaignBody,
  createApiWithUser,
  createTestApi,
  donationBody,
  refusal,
  type TestApi,
} from './support/api.ts'

const log = createLog('silent', 'test')
const blocked = { status: 451, body: { code: 'blocked_for_legal_reasons' } }
const LISTED = '0x00000000000000000000000000000000deadbeef'
const ACCOUNT = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

/** A screen with these sanctioned addresses. */
const listOf = (...addresses: string[]): SanctionScreen =>
  createSanctionScreen({ list: new Set(addresses), oracles: [], clock: systemClock })

const openCampaign = async (api: TestApi) => {
  const creator = await api.signIn()
  return createTestCampaign(api.ctx, { creator, account: ACCOUNT })
}

test('refuses callers from a blocked country, in any case, and names who blocks it', async () => {
  const settings = { blockedCountries: new Set(['KP', 'IR']), countryHeader: 'cf-ipcountry' }
  const api = await createTestApi({
    settings: { ...settings, publicUrl: 'https://api.example.org' },
  })
  const from = (country: string, path = '/api/campaigns') =>
    api.ask('GET', path, { headers: { 'CF-IPCountry': country } })
  for (const country of ['KP', 'ir', ' IR ']) {
    const answer = await from(country)
    expect(answer).toMatchObject(blocked)
    expect(answer.headers.get('link')).toBe('<https://api.example.org/>; rel="blocked-by"')
  }
  expect(await from('KP', '/v1/campaigns')).toMatchObject(blocked)
  const login = await api.ask('POST', '/api/auth/login', {
    body: { username: 'a', password: 'b' },
    headers: { 'cf-ipcountry': 'KP' },
  })
  expect(login).toMatchObject(blocked)
  expect((await from('DE')).status).toBe(200)
  expect((await api.ask('GET', '/api/campaigns')).status).toBe(200)
  const other = await api.ask('GET', '/api/campaigns', { headers: { 'x-country': 'KP' } })
  expect(other.status).toBe(200)
})

test('refuses donations of a sanctioned wallet, wherever it is named or linked', async () => {
  const api = await createTestApi({ sanctions: listOf(LISTED) })
  const campaignId = await openCampaign(api)
  const [donor, owner] = [await api.signIn(), await api.signIn()]
  await linkWallet(api, owner.userId, LISTED)
  const { transaction } = donationBody(campaignId)
  const upper = `0x${LISTED.slice(2).toUpperCase()}`
  const refused = [
    { token: donor.token, changes: { transaction: { ...transaction, ledgerAddress: LISTED } } },
    { token: donor.token, changes: { transaction: { ...transaction, ledgerAddress: upper } } },
    { token: donor.token, changes: { donor: { walletAddress: LISTED } } },
    { token: owner.token, changes: {} },
  ]
  for (const { token, changes } of refused) {
    for (const path of ['/api/donations', '/v1/donations']) {
      const answer = await api.ask('POST', path, { token, body: donationBody(campaignId, changes) })
      expect(answer).toMatchObject(blocked)
      expect(answer.headers.get('link')).toContain('rel="blocked-by"')
    }
  }
  const { transaction: _, ...intent } = donationBody(campaignId, {
    donor: { walletAddress: LISTED },
  })
  const announced = await api.ask('POST', '/v1/donations', { token: donor.token, body: intent })
  expect(announced).toMatchObject(blocked)
  expect(await api.ctx.sql`select count(*) from donation`).toEqual([{ count: 0 }])
  const good = await api.ask('POST', '/api/donations', {
    token: donor.token,
    body: donationBody(campaignId),
  })
  expect(good.status).toBe(201)
})

test('refuses campaigns that would pay a sanctioned account, and linking its wallet', async () => {
  const key = Wallet.createRandom()
  const listed = key.address.toLowerCase()
  const { api, token } = await createApiWithUser({ sanctions: listOf(listed) })
  for (const account of [listed, key.address, `eip155:31337:${key.address}`]) {
    const body = campaignBody({ ledger_account: account })
    expect(await api.ask('POST', '/api/campaigns', { token, body })).toMatchObject(blocked)
  }
  const { target_amount: targetAmount, ledger_account: _, ...v1 } = campaignBody({ milestones: [] })
  const body = { ...v1, targetAmount, ledgerAccount: key.address }
  expect(await api.ask('POST', '/v1/campaigns', { token, body })).toMatchObject(blocked)
  const { body: asked } = await api.ask('POST', '/api/auth/wallets/challenge', {
    token,
    body: { address: key.address },
  })
  const { message } = asked.challenge as { message: string }
  const link = { message, signature: await key.signMessage(message) }
  expect(await api.ask('POST', '/api/auth/wallets', { token, body: link })).toMatchObject(blocked)
})

test('reads its list from a file, again when that changes, and keeps it when that breaks', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fundproof-list-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'list.txt')
  await writeFile(path, `# comment\n\n0x${'AB'.repeat(20)} # why\r\n`)
  const list = openAddressFile(path, log, 20)
  onTestFinished(() => list.close())
  const [first, second] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`]
  expect([list.has(first), list.has(second)]).toEqual([true, false])
  await writeFile(join(folder, 'next'), second)
  await rename(join(folder, 'next'), path)
  await waitFor('the new list', async () => list.has(second), Boolean)
  expect(list.has(first)).toBe(false)
  await writeFile(path, 'not an address, and longer than before')
  await writeFile(join(folder, 'last'), `${first}\n${second}\n`)
  expect(list.has(second)).toBe(true)
  await rename(join(folder, 'last'), path)
  await waitFor('the mended list', async () => list.has(first), Boolean)
  await writeFile(path, 'not an address')
  expect(() => openAddressFile(path, log)).toThrow('SANCTIONS_FILE line 1 is not an address')
  expect(() => openAddressFile(join(folder, 'none'), log)).toThrow('SANCTIONS_FILE cannot be read')
})

describe.runIf(hasAnvil)('an oracle on the chain', () => {
  test('is asked once in ten minutes about an address, and no caller passes when it cannot be', async () => {
    const chain = await startTestChain()
    const oracle = await deploy(chain, testSanctions.bytecode)
    const list = async (address: string, listed: boolean) => {
      const data = new Interface(testSanctions.abi).encodeFunctionData('set', [address, listed])
      await chain.send(await chain.sign(0, { to: oracle, data }))
      await chain.mine()
    }
    await list(LISTED, true)
    const clock = createFakeClock()
    const reader = createStateReader({ chain: testChainConfig(chain.url), log })
    onTestFinished(() => reader.close())
    const asked: string[][] = []
    const ask = createSanctionsOracle({ reader, address: oracle, log })
    const screen = createSanctionScreen({
      list: undefined,
      oracles: [
        (addresses) => {
          asked.push([...addresses])
          return ask(addresses)
        },
      ],
      clock,
    })
    expect(await screen.isSanctioned([ACCOUNT, LISTED])).toBe(true)
    expect(await screen.isSanctioned([ACCOUNT])).toBe(false)
    expect(await screen.isSanctioned([LISTED, ACCOUNT])).toBe(true)
    expect(asked).toEqual([[ACCOUNT, LISTED]])
    await list(ACCOUNT, true)
    clock.advance(10 * 60_000)
    expect(await screen.isSanctioned([ACCOUNT])).toBe(true)
    await list(ACCOUNT, false)
    // Sets the clock back, as after a clock that was ahead.
    clock.advance(-80 * 3_600_000)
    expect(await screen.isSanctioned([ACCOUNT])).toBe(false)

    const nothing = createSanctionsOracle({ reader, address: ACCOUNT, log })
    await expect(nothing([LISTED])).rejects.toMatchObject({ code: 'unavailable' })
    const api = await createTestApi({
      sanctions: createSanctionScreen({ list: undefined, oracles: [nothing], clock }),
    })
    const campaignId = await openCampaign(api)
    const { token } = await api.signIn()
    const body = donationBody(campaignId)
    const answer = await api.ask('POST', '/api/donations', { token, body })
    expect(answer).toMatchObject(refusal(503, 'unavailable'))
    expect(answer.headers.get('retry-after')).toBe('5')
  })
})
