import { expect, test } from 'vitest'
import { address, applyBlock, startChain, txHash } from '../../support/chain-facts.ts'
import { finalise } from '../../support/finalise.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { createTestCampaign } from '../../support/world.ts'
import { type Answered, createTestApi, refusal } from './support/api.ts'

const ACCOUNT = address('campaign')
const WORDS = { name: 'Ada Lovelace', message: 'For clean water.' }

type Asked = { token?: string }
type Donor = { donor: { name: string | null; message: string | null; hidden: boolean } | null }

const setUp = async () => {
  const api = await createTestApi()
  const [creator, donor, stranger, admin] = [
    await api.signIn(),
    await api.signIn(),
    await api.signIn(),
    await api.signIn({ roles: ['admin'] }),
  ]
  const campaignId = await createTestCampaign(api.ctx, { creator, account: ACCOUNT })
  await startChain(api.ctx)
  const amount = { value: '10', currency: 'USDC' }
  let blocks = 0
  const transaction = (tx: string) => ({ txHash: txHash(tx), ledgerAddress: ACCOUNT })
  return {
    ...{ api, creator, donor, stranger, admin, campaignId },
    /**
     * Records a donation with a transaction. Without a token, under `/v1`, the donor is a guest.
     */
    give: (words: unknown, { token }: Asked = donor, tx = 'gift', path = '/v1/donations') =>
      api.ask('POST', path, {
        token,
        body: { campaignId, amount, transaction: transaction(tx), donor: words },
      }),
    intend: (words: object, { token }: Asked = donor) =>
      api.ask('POST', '/v1/donations', {
        token,
        body: { campaignId, amount, donor: { walletAddress: address('donor'), ...words } },
      }),
    change: (made: Answered, body: object, { token }: Asked = donor) =>
      api.ask('PATCH', `/v1/donations/${idOf(made)}`, { token, body }),
    /** Applies a block with a payment of each transaction. The block is not final. */
    pay: async (txs: string[], payment: { from?: string; claimed?: boolean } = {}) => {
      blocks++
      const sent = { to: ACCOUNT, from: address('donor'), usdc: 10_000_000n, ...payment }
      await applyBlock(
        api.ctx,
        blocks,
        txs.map((tx) => ({ tx, ...sent })),
      )
    },
    hide: (made: Answered, hidden: unknown, { token }: Asked = creator) =>
      api.ask('PUT', `/api/donations/${idOf(made)}/visibility`, {
        token,
        body: { hidden },
      }),
    /** The donor fields of a donation in each read and list. All must show the same. */
    seenBy: async (made: Answered, { token }: Asked = {}) => {
      const asked = { token }
      const id = idOf(made)
      const one = (await api.ask('GET', `/api/donations/${id}`, asked)).body
      const filter = `campaignId=${campaignId}&status=${one.status}`
      const { donations } = (await api.ask('GET', `/api/donations?${filter}`, asked)).body as {
        donations: (Donor & { id: string })[]
      }
      const reads = [
        one,
        (await api.ask('GET', `/v1/donations/${id}`, asked)).body,
        donations.find((one) => one.id === id),
      ] as Donor[]
      const [first, ...others] = reads.map((read) => read.donor)
      for (const other of others) expect(other).toEqual(first)
      return first
    },
  }
}

const idOf = ({ body }: Answered) => ((body.data ?? body.donation) as { id: string }).id
const claimToken = ({ body }: Answered) => (body.claim as { token: string }).token

test('shows name and message to strangers once a block has the payment', async () => {
  const { api, donor, stranger, creator, admin, campaignId, ...rest } = await setUp()
  const { give, intend, pay, seenBy } = rest
  const made = [
    await give(WORDS),
    await give(WORDS, donor, 'api', '/api/donations'),
    await intend(WORDS),
    await give({ ...WORDS, walletAddress: address('donor') }, {}, 'guest'),
    await intend(WORDS, {}),
  ]
  for (const one of made) {
    expect(one.status, one.text).toBe(201)
    // The answer to the donor has the words, also if the donor is a guest.
    expect(one.body.data ?? one.body.donation).toMatchObject({ donor: WORDS })
    for (const caller of [{}, stranger]) expect(await seenBy(one, caller)).toBeNull()
    for (const caller of [creator, admin]) expect(await seenBy(one, caller)).toMatchObject(WORDS)
  }
  for (const one of made.slice(0, 3)) expect(await seenBy(one, donor)).toMatchObject(WORDS)
  const other = await give(WORDS, donor, 'elsewhere')
  await pay(['gift', 'api'])
  await pay(['guest'], { from: address('exchange') })
  await pay(['intended'], { claimed: false })
  await pay(['also intended'], { claimed: false })
  for (const one of made) expect(await seenBy(one)).toEqual({ ...WORDS, hidden: false })
  expect(await seenBy(other)).toBeNull()
  const { text } = await api.ask('GET', `/api/donations?campaignId=${campaignId}`)
  expect(text).not.toContain(donor.userId)
})

test('shows no words of a transaction that pays another account', async () => {
  const { api, give, seenBy } = await setUp()
  const made = await give({ ...WORDS, walletAddress: address('donor') }, {}, 'elsewhere')
  await applyBlock(api.ctx, 1, [{ tx: 'elsewhere', to: address('another') }])
  const read = await api.ask('GET', `/v1/donations/${idOf(made)}`)
  expect(read.body).toMatchObject({ status: 'confirming', donor: null })
  expect(await seenBy(made)).toBeNull()
})

test('shows the type of a donation like its words: one line, once it is paid, unless hidden', async () => {
  const { api, pay, hide, campaignId, creator, donor, stranger } = await setUp()
  const record = (type: string) =>
    api.ask('POST', '/v1/donations', {
      token: donor.token,
      body: {
        ...{ campaignId, type, amount: { value: '10', currency: 'USDC' } },
        transaction: { txHash: txHash('gift'), ledgerAddress: ACCOUNT },
      },
    })
  for (const type of ['a\nb', '\u202egnp.exe', ' ', '\u0007']) {
    expect(await record(type)).toMatchObject(refusal(400, 'invalid_input'))
  }
  const made = await record('one-off')
  const typeFor = async ({ token }: Asked = {}) =>
    (await api.ask('GET', `/v1/donations/${idOf(made)}`, { token })).body.type
  expect(await typeFor(stranger)).toBeNull()
  expect(await typeFor(donor)).toBe('one-off')
  await pay(['gift'])
  expect(await typeFor()).toBe('one-off')
  await hide(made, true)
  expect(await typeFor(stranger)).toBeNull()
  expect(await typeFor(creator)).toBe('one-off')
})

test('is anonymous without name and message', async () => {
  const { donor, give, pay, seenBy } = await setUp()
  const made = [
    await give({ name: 'Ada' }, donor, 'name'),
    await give(undefined, donor, 'none'),
    await give({}, donor, 'empty'),
  ]
  await pay(['name', 'none', 'empty'])
  const seen = await Promise.all(made.map((one) => seenBy(one)))
  expect(seen).toEqual([{ name: 'Ada', message: null, hidden: false }, null, null])
})

test('keeps texts as they were sent, and refuses what a line of text cannot hold', async () => {
  const { api, donor, give, seenBy } = await setUp()
  const html = '<img src=x onerror=alert(1)>"\'&amp;</script>'
  const kept = [html, '=1+1', 'José 🎁 👩‍👩‍👧', 'سارة', '\u200fשלום', "' or 1=1 --", '%00']
  for (const [index, text] of kept.entries()) {
    const made = await give({ name: ` ${text} `, message: text }, undefined, `kept ${index}`)
    expect(await seenBy(made, donor)).toEqual({ name: text, message: text, hidden: false })
    expect(made.headers.get('content-type')).toBe('application/json')
  }
  const refused = [
    ...['', ' ', '\u200b', '\u2060\u00ad', 'a\nb', 'a\r\nb', 'a\tb', 'a\u0001b', 'a\u001b[31mb'],
    ...['a\u007fb', 'a\u0085b', 'a\u2028b', 'a\u2029b', '\u202egnp.exe', 'a\u2066b', '\u2069a'],
    ...['a\u202ab', 'a\ufeffb', 'x'.repeat(281), 7, {}],
  ]
  for (const text of refused) {
    for (const field of ['name', 'message']) {
      const answer = await give({ [field]: text }, undefined, 'refused')
      expect(answer, JSON.stringify(text)).toMatchObject({
        status: 400,
        body: { code: 'invalid_input', details: [{ path: `donor.${field}` }] },
      })
    }
  }
  for (const text of ['a\u0000b', '\ud800']) {
    expect((await give({ name: text }, undefined, 'refused')).body.code).toBe('invalid_json')
  }
  expect((await give({ name: 'x'.repeat(81) }, undefined, 'refused')).status).toBe(400)
  const longest = await give({ name: 'x'.repeat(80), message: 'x'.repeat(280) }, undefined, 'long')
  expect(longest.status).toBe(201)
  expect(await give({ nmae: 'Ada' }, undefined, 'refused')).toMatchObject({
    body: { code: 'unknown_parameter', details: [{ path: 'donor.nmae' }] },
  })
  const [row] = await api.ctx.sql<{ count: number }[]>`select count(*)::int as count from donation`
  expect(row?.count).toBe(kept.length + 1)
})

test('lets the donor change what is seen, and a guest with the claim link', async () => {
  const { give, pay, change, seenBy, stranger, creator, admin } = await setUp()
  const made = await give(WORDS)
  await pay(['gift'])
  expect(await change(made, { donor: { message: null } })).toMatchObject({
    status: 200,
    body: { success: true, data: { donor: { name: WORDS.name, message: null } } },
  })
  await change(made, { donor: { name: 'Countess', message: 'Again' } })
  await change(made, { donor: {} })
  expect(await seenBy(made)).toEqual({ name: 'Countess', message: 'Again', hidden: false })
  await change(made, { donor: { name: null, message: null } })
  expect(await seenBy(made)).toBeNull()
  for (const body of [{}, { donor: null }, { donor: { name: '' } }, { donor: { hidden: false } }]) {
    expect((await change(made, body)).status).toBe(400)
  }
  for (const [caller, status] of [
    [{}, 401],
    [stranger, 403],
    [creator, 403],
    [admin, 200],
  ] as const) {
    expect((await change(made, { donor: { name: 'Mine' } }, caller)).status).toBe(status)
  }
  const guest = await give({ ...WORDS, walletAddress: address('donor') }, {}, 'guest')
  const other = await give({ walletAddress: address('donor') }, {}, 'other')
  const words = { donor: { name: 'A guest' } }
  const withToken = (token: string) => change(guest, { ...words, claimToken: token }, {})
  expect((await withToken(claimToken(other))).status).toBe(403)
  expect((await withToken('A'.repeat(43))).status).toBe(403)
  expect((await change(guest, words, {})).status).toBe(401)
  expect((await change(guest, words, stranger)).status).toBe(403)
  expect(await withToken(claimToken(guest))).toMatchObject({
    status: 200,
    body: { data: { donor: { ...WORDS, name: 'A guest' } } },
  })
})

test('attaches a hash and changes the words of an intent at once, or neither', async () => {
  const { intend, give, change, seenBy } = await setUp()
  const [intent, recorded] = [await intend({}), await give({})]
  const body = { txHash: txHash('paid'), donor: WORDS }
  expect(await change(intent, body)).toMatchObject({
    status: 200,
    body: { data: { payment: { txHash: txHash('paid') }, donor: WORDS } },
  })
  expect(await change(recorded, body)).toMatchObject(refusal(409, 'conflict'))
  expect(await seenBy(recorded)).toBeNull()
})

test('lets the creator and administrators hide words, and show them again', async () => {
  const { api, campaignId, give, pay, hide, change, seenBy, ...users } = await setUp()
  const { donor, creator, stranger, admin } = users
  const made = await give(WORDS)
  await pay(['gift'])
  for (const [caller, status] of [
    [{}, 401],
    [stranger, 403],
    [donor, 403],
  ] as const) {
    expect((await hide(made, true, caller)).status).toBe(status)
  }
  for (const wrong of ['true', 1, null, undefined]) {
    expect((await hide(made, wrong)).status).toBe(400)
  }
  expect(await seenBy(made)).toEqual({ ...WORDS, hidden: false })
  expect(await hide(made, true)).toMatchObject({
    status: 200,
    body: { success: true, donation: { donor: { ...WORDS, hidden: true } } },
  })
  expect((await hide(made, true, admin)).status).toBe(200)
  // A change of the words does not end the hiding.
  await change(made, { donor: { message: 'Again' } })
  for (const caller of [donor, creator, admin]) {
    expect(await seenBy(made, caller)).toEqual({ ...WORDS, message: 'Again', hidden: true })
  }
  for (const caller of [{}, stranger]) expect(await seenBy(made, caller)).toBeNull()
  const table = await api.ask('GET', `/api/campaigns/${campaignId}/donations.csv`)
  expect(table.text).toContain(idOf(made))
  expect(table.text).not.toMatch(/Ada|Again/)
  expect((await hide(made, false, admin)).status).toBe(200)
  expect(await seenBy(made)).toEqual({ ...WORDS, message: 'Again', hidden: false })
})

test('keeps the words through settling, out of events, and with the account that takes a gift', async () => {
  const { api, give, intend, pay, hide, seenBy, donor, creator } = await setUp()
  const [recorded, hidden, intent] = [
    await give(WORDS),
    await give(WORDS, donor, 'b'),
    await intend(WORDS),
  ]
  const guest = await give({ walletAddress: address('x'), name: 'A guest' }, {}, 'taken')
  await hide(hidden, true)
  await pay(['gift', 'b'])
  await pay(['taken'], { from: address('exchange') })
  await pay(['intended'], { claimed: false })
  await finalise(api.ctx, 3)
  for (const one of [recorded, intent]) {
    const read = await api.ask('GET', `/v1/donations/${idOf(one)}`)
    expect(read.body).toMatchObject({ status: 'completed', donor: WORDS })
  }
  expect(await seenBy(hidden)).toBeNull()
  await linkWallet(api, donor.userId, address('exchange'))
  const taken = await give({ name: 'The account' }, donor, 'taken')
  expect(taken.status).toBe(201)
  expect(await seenBy(taken)).toMatchObject({ name: 'The account', message: null })
  expect(await seenBy(guest, creator)).toMatchObject({ name: 'A guest' })
  expect(await seenBy(guest)).toBeNull()
  const events = await api.ctx.sql<{ body: string }[]>`select event.body from event`
  expect(events.length).toBeGreaterThan(3)
  for (const { body } of events) expect(body).not.toMatch(/Ada|clean water|The account|A guest/)
})
