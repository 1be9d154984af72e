import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert'
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Fundproof, type FundproofEvent, RateLimitError } from '../src/index.ts'
import { verifyProof } from '../src/verify.ts'
import { verify } from '../src/webhooks.ts'

/**
 * Uses a real service step by step, through the public interface of the client only. Prints a line
 * for each step of test/clients/README.md, and exits with status 1 at the first failure.
 */
const PROXY_URL = process.env.PROXY_URL ?? ''
const LIMIT = 700
const ARRIVAL_MS = 30_000

const step = (name: string): void => console.log(`ok ${name}`)

// sign-up
const guest = new Fundproof()
const tag = randomUUID().slice(0, 8)
const [email, username, password] = [`js-${tag}@example.org`, `js_${tag}`, `correct-horse-${tag}`]
await guest.auth.register({ email, username, password })
const [mail] = await guest.sandbox.mail({ to: email })
const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? ''
await guest.auth.requestVerification({ email, code })
const { tokens } = await guest.auth.login({ username, password })
const person = new Fundproof({ tokens })
step('sign-up')

const newKey = async (name: string): Promise<string> => {
  const scopes = ['read', 'donations:write', 'campaigns:write', 'webhooks:write'] as const
  return (await person.keys.create({ name, scopes: [...scopes] })).key
}
const fundproof = new Fundproof({ apiKey: await newKey('live story') })
step('key')

// webhook
const received: FundproofEvent[] = []
const refused: unknown[] = []
let secret = ''

const rawBodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
const receiver = createServer(async (request, response) => {
  try {
    received.push(await verify(await rawBodyOf(request), request.headers, secret))
    response.writeHead(204).end()
  } catch (error) {
    refused.push(error)
    response.writeHead(401).end()
  }
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const { port } = receiver.address() as AddressInfo
const url = `http://127.0.0.1:${port}/`
secret = (await fundproof.webhooks.create({ url, events: ['donation.completed'] })).secret ?? ''
step('webhook')

const { address: ledgerAccount } = await guest.sandbox.createWallet()
const campaign = await fundproof.campaigns.create({
  title: 'Wells for Kitui',
  description: 'Clean water for four villages.',
  targetAmount: '1000',
  currency: 'USDC',
  ledgerAccount,
})
const campaignId = campaign.id
strictEqual(campaign.status, 'active')
strictEqual(campaign.targetAmount, '1000')
step('campaign')

const paid = { to: ledgerAccount, amount: '25.10', currency: 'USDC' }
const { txHash } = await person.sandbox.transfer(paid)
step('transfer')

const donation = await fundproof.donations.record({
  campaignId,
  amount: { value: '25.10', currency: 'USDC' },
  transaction: { txHash, ledgerAddress: ledgerAccount },
})
deepStrictEqual({ ...donation.amount }, { value: '25.1', currency: 'USDC' })
step('record')

const done = await fundproof.donations.waitFor(donation.id, { timeout: 60_000 })
strictEqual(done.status, 'completed')
strictEqual(done.creditedAmount?.value, '25.1')
step('wait')

const listed: string[] = []
for await (const each of fundproof.donations.list({ campaignId, status: ['completed'] })) {
  listed.push(each.id)
}
deepStrictEqual(listed, [donation.id])
step('list')

for (const endMs = Date.now() + ARRIVAL_MS; received.length === 0; await delay(50)) {
  ok(Date.now() < endMs, `no webhook arrived: ${refused}`)
}
const [event] = received
strictEqual(event?.event, 'donation.completed')
strictEqual(event.data.donationId, donation.id)
strictEqual(event.data.amount.value, '25.1')
deepStrictEqual(refused, [])
receiver.close()
receiver.closeAllConnections()
step('received')

// stream
const { nextCursor: place } = await fundproof.events.list({ from: 'now' })
const after = place ?? ''
const changeThrice = async (): Promise<void> => {
  for (let count = 0; count < 3; count++) {
    await fundproof.campaigns.update(campaignId, { description: randomUUID() })
  }
}
await changeThrice()
const cut = new Fundproof({ apiKey: await newKey('stream'), baseUrl: PROXY_URL })
const streamed: string[] = []
for await (const { id } of cut.events.stream({ after })) {
  if (streamed.push(id) === 1) await changeThrice()
  if (streamed.length === 6) break
}
const expected: string[] = []
for await (const { id } of fundproof.events.list({ after })) expected.push(id)
deepStrictEqual(streamed, expected)
strictEqual(new Set(streamed).size, 6)
step('stream')

const hurried = new Fundproof({ apiKey: await newKey('limit'), maxRetries: 0 })
await rejects(
  async () => {
    for (let count = 0; count < LIMIT; count++) await hurried.campaigns.list({ limit: 1 })
  },
  (error) => {
    ok(error instanceof RateLimitError)
    strictEqual(error.code, 'rate_limited')
    const seconds = (error.retryAfter ?? 0) / 1_000
    return seconds >= 1 && seconds <= 60
  },
)
step('limit')

// refresh
const { refreshToken } = (await guest.auth.login({ username, password })).tokens
let renewals = 0
const refreshed = new Fundproof({
  tokens: { accessToken: 'broken', refreshToken },
  onTokens: () => {
    renewals += 1
  },
})
const accounts = await Promise.all([refreshed.auth.account(), refreshed.auth.account()])
deepStrictEqual(new Set(accounts.map((each) => each.email)), new Set([email]))
strictEqual(renewals, 1)
step('refresh')

const proof = await fundproof.donations.proof(donation.id, { maxRetries: 10 })
strictEqual(proof.donation.id, donation.id)
const { keys } = await guest.system.signingKeys()
const checked = await verifyProof(proof, {
  // A real user asks nodes here. This test has no node, and trusts the block hash in the proof.
  headers: async () => [{ source: 'test', hash: proof.block.hash }],
  keys: keys as { x: string }[],
})
deepStrictEqual(
  checked.checks.filter((each) => !each.ok),
  [],
)
ok(checked.ok)
step('proof')
