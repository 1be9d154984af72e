import { expect, test } from 'vitest'
import { getRelease } from '../../../src/domain/campaigns/index.ts'
import { STATUS_OF } from '../../../src/edge/errors.ts'
import type { ErrorCode } from '../../../src/kernel/errors.ts'
import { address, txHash } from '../../support/chain-facts.ts'
import { recordGift } from '../../support/recorded-gift.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { createTestCampaign, TOKEN } from '../../support/world.ts'
import { EVIDENCE } from '../milestones/support/verified-world.ts'
import { createEscrowWorld } from './support/escrow-world.ts'

const DAY_SECONDS = 86_400
const ZERO = `0x${'0'.repeat(64)}`
const OPERATIONS = [
  'getEscrow',
  'listReturns',
  'prepareReturns',
  'listAccountRefunds',
  'prepareTermination',
  'getDonationRefund',
  'getMilestoneRelease',
  'getMilestoneRejection',
  'prepareMilestoneRejection',
]

/** Verifier signatures that are refused: a stranger's, and an invalid one. */
const BAD_SIGNERS = [
  [9, 'forbidden', 'names its verifiers'],
  [1, 'invalid_signature', 'Sign the typedData'],
] as const

/** The input of a call by a verifier, with an invalid signature in the name of this key. */
const signedBy = (key?: number) => ({
  signatures: key === undefined ? [] : [{ verifier: keyOf(key).address, signature: '0x11' }],
})
const reject = (key?: number) => ({ body: { evidence: EVIDENCE, ...signedBy(key) } })
const end = (validUntil: string, key?: number) => ({
  body: { reason: 'The creator has left.', validUntil, ...signedBy(key) },
})

/** An escrow with 69 of 70 USDC and no node, and functions that call its routes. */
const setUp = async () => {
  const world = await createEscrowWorld({ required: [1, 1] })
  const { ctx, campaignId, milestoneIds } = world
  await world.give(69n)
  const donationIn = async (campaign: string, tx: string): Promise<string> => {
    return recordGift(
      world.as(world.creator),
      campaign,
      { hash: txHash(tx), from: address('donor') },
      '1',
    )
  }
  const [given] = await ctx.sql<{ id: string; hash: string; position: number }[]>`
    select donation.id, transfer.tx_hash as hash, transfer.position
    from donation join chain_transfer transfer on transfer.id = transfer_id`
  const seen = new Set<string>()
  const validUntil = new Date((world.terms.expiry + DAY_SECONDS) * 1_000).toISOString()
  const transfer = { transaction: given?.hash, position: given?.position }
  /**
   * The input that returns the given transfer, with an invalid signature in the name of this key.
   */
  const back = (key?: number, changes: object = {}) => ({
    body: {
      list: [{ ...transfer, receiver: address('donor'), ...changes }],
      ...{ validUntil, ...signedBy(key) },
    },
  })
  return {
    world,
    seen,
    back,
    validUntil,
    donationIn,
    paths: {
      escrow: `/api/campaigns/${campaignId}/escrow`,
      refunds: `/api/campaigns/${campaignId}/refunds`,
      returns: `/api/campaigns/${campaignId}/returns`,
      termination: `/api/campaigns/${campaignId}/escrow/termination`,
      account: `/api/campaigns/${campaignId}/refunds/${address('donor')}`,
      refund: `/api/donations/${given?.id}/refund`,
      release: `/api/milestones/${milestoneIds[0]}/release`,
      rejection: `/api/milestones/${milestoneIds[0]}/rejection`,
    },
    /** Calls an operation. Expects the code, its status, and these words in the message. */
    async refuse(
      operationId: string,
      path: string,
      code: ErrorCode,
      words: string,
      asked?: Parameters<typeof world.ask>[2],
    ): Promise<void> {
      const method = asked?.body ? 'POST' : 'GET'
      const { status, body } = await world.ask(method, path, asked)
      expect({ operationId, status, code: body.code, error: body.error }).toEqual({
        ...{ operationId, status: STATUS_OF[code], code },
        error: expect.stringContaining(words),
      })
      expect(body.error).toMatch(/^([A-Z]|list\.).*\.$/)
      seen.add(`${operationId} ${code}`)
    },
    /** Sets the status of all milestones of the escrow. */
    async setMilestones(status: string): Promise<void> {
      await ctx.sql`update milestone set status = ${status}`
    },
  }
}

test('every refusal of the routes of escrows has its status, its code, and says what to do', async () => {
  const { world, seen, back, validUntil, donationIn, paths, refuse, setMilestones } = await setUp()
  const { terms, settled, setChainTime } = world

  const plain = await createTestCampaign(world.ctx, {
    ...{ creator: world.creator, account: address('plain'), target: '9', milestones: ['9'] },
  })
  const [step] = await world.ctx.sql<{ id: string }[]>`
    select id from milestone where campaign_id = ${plain}`
  const gift = await donationIn(plain, 'to a plain campaign')
  const none = 'Call this only for a campaign with the field `escrow`'
  await refuse('getEscrow', `/api/campaigns/${plain}/escrow`, 'not_escrowed', none)
  await refuse('listReturns', `/api/campaigns/${plain}/returns`, 'not_escrowed', none)
  await refuse('listReturns', `${paths.returns}?cursor=x`, 'invalid_cursor', 'The cursor')
  await refuse('prepareReturns', `/api/campaigns/${plain}/returns`, 'not_escrowed', none, back())
  const account = `/api/campaigns/${plain}/refunds/${address('donor')}`
  await refuse('listAccountRefunds', account, 'not_escrowed', none)
  const ending = `/api/campaigns/${plain}/escrow/termination`
  await refuse('prepareTermination', ending, 'not_escrowed', none, end(validUntil))
  await refuse('getDonationRefund', `/api/donations/${gift}/refund`, 'not_escrowed', none)
  await refuse('getMilestoneRelease', `/api/milestones/${step?.id}/release`, 'not_escrowed', none)
  const rejection = `/api/milestones/${step?.id}/rejection`
  await refuse('getMilestoneRejection', rejection, 'not_escrowed', none)
  await refuse('prepareMilestoneRejection', rejection, 'not_escrowed', none, reject())

  const pending = `/api/donations/${await donationIn(world.campaignId, 'not mined')}/refund`
  await refuse('getDonationRefund', pending, 'conflict', '`status` and `reason` say why')
  await refuse('getDonationRefund', paths.refund, 'campaign_not_failed', 'the event campaign.fail')
  const early = 'the event campaign.failed'
  await refuse('listAccountRefunds', paths.account, 'campaign_not_failed', early)
  await refuse('listAccountRefunds', `${paths.refunds}/0x11`, 'invalid_input', 'An address is')
  await refuse('prepareReturns', paths.returns, 'campaign_not_failed', early, back())
  for (const [key, code, words] of BAD_SIGNERS) {
    await refuse('prepareTermination', paths.termination, code, words, end(validUntil, key))
  }
  await refuse('getMilestoneRelease', paths.release, 'milestone_not_verified', 'impact.verified')
  await refuse('getMilestoneRejection', paths.rejection, 'conflict', 'nothing to send')
  await refuse(
    'prepareMilestoneRejection',
    paths.rejection,
    'conflict',
    'nothing to send',
    reject(),
  )
  await world.ctx.sql`update milestone set verification_round = 1`
  for (const [key, code, words] of BAD_SIGNERS) {
    await refuse('prepareMilestoneRejection', paths.rejection, code, words, reject(key))
  }
  await world.ctx.sql`update milestone set verification_round = 0`
  await setMilestones('verified')
  await world.ctx.sql`update campaign set status = 'cancelled'`
  await refuse(
    'getMilestoneRelease',
    paths.release,
    'escrow_not_active',
    'The contract can still pay until a block has `cancel`',
  )
  await world.ctx.sql`update campaign set status = 'draft'`
  await expect(
    getRelease(world.as(world.creator), world.milestoneIds[0] ?? ''),
  ).rejects.toMatchObject({
    code: 'escrow_not_active',
    message: expect.stringContaining('Open the campaign first'),
  })
  await world.ctx.sql`update campaign set status = 'active'`
  await refuse('getMilestoneRelease', paths.release, 'escrow_not_active', 'Wait for donations')
  await settled({
    kind: 'MilestoneRejected',
    fields: { milestone: 0, round: 0, verifier: terms.verifiers[0] ?? '', evidenceHash: ZERO },
  })
  const words = 'When its block is final, verifiers can approve again'
  await refuse('getMilestoneRejection', paths.rejection, 'milestone_not_verified', words)
  await setChainTime(terms.expiry + 1)
  await refuse('getMilestoneRelease', paths.release, 'escrow_expired', 'Send `close`')
  await world.ctx.sql`update campaign set status = 'draft' where id = ${world.campaignId}`
  const admin = await world.signIn({ roles: ['admin'] })
  const asAdmin = { ...end(validUntil), token: admin.token }
  await refuse('prepareTermination', paths.termination, 'conflict', 'Open the campaign', asAdmin)
  await world.ctx.sql`update campaign set status = 'active' where id = ${world.campaignId}`
  await setMilestones('released')
  await refuse('getMilestoneRelease', paths.release, 'already_released', 'stays so')
  await refuse('getMilestoneRejection', paths.rejection, 'already_released', 'stays so')
  await refuse(
    'prepareMilestoneRejection',
    paths.rejection,
    'already_released',
    'stays so',
    reject(),
  )
  for (const [milestone, { amount }] of terms.milestones.entries()) {
    await settled({
      kind: 'MilestoneReleased',
      fields: {
        ...{ milestone, recipient: terms.recipient, asset: terms.asset, amount: String(amount) },
        ...{ evidenceHash: ZERO, signers: [0] },
      },
    })
  }
  const left = 'the recipient gets what is left. There is no refund, unless'
  await refuse('getDonationRefund', paths.refund, 'campaign_not_failed', left)
  await world.ctx.sql`delete from escrow_event where kind = 'MilestoneReleased'`

  await setMilestones('verified')
  await settled({
    kind: 'Failed',
    fields: {
      ...{ reason: 'expired', pool: '69000000', total: '69000000' },
      ...{ recorded: '0', reasonHash: ZERO },
    },
  })
  await refuse('getMilestoneRelease', paths.release, 'escrow_failed', 'GET /api/donations/:id/')
  await refuse(
    'prepareTermination',
    paths.termination,
    'escrow_failed',
    'Donors get',
    end(validUntil),
  )
  const refunds = 'GET /api/donations/:id/refund'
  await refuse('getMilestoneRejection', paths.rejection, 'escrow_failed', refunds)
  await refuse('prepareMilestoneRejection', paths.rejection, 'escrow_failed', refunds, reject())
  await refuse('getDonationRefund', paths.refund, 'refund_by_verifiers', '/returns')
  for (const [key, code, words] of BAD_SIGNERS) {
    await refuse('prepareReturns', paths.returns, code, words, back(key))
  }
  const nowhere = back(undefined, { receiver: `${keyOf(5).address.slice(0, -1)}x` })
  await refuse('prepareReturns', paths.returns, 'invalid_input', 'must be an address', nowhere)
  const [one] = signedBy(1).signatures
  const again = { ...one, verifier: keyOf(1).address.toLowerCase() }
  const twice = { body: { ...back().body, signatures: [one, again] } }
  expect(await world.ask('POST', paths.returns, twice)).toMatchObject({
    ...{ status: 400, body: { error: 'signatures must name each verifier only once.' } },
  })
  expect(await world.ask('GET', paths.returns)).toMatchObject({
    ...{ status: 200, body: { returns: [{ share: '69000000', receiver: null }] } },
  })
  const [{ transaction = '', position = 0 } = {}] = back().body.list
  await settled({
    kind: 'TransferReturned',
    fields: { receiver: address('donor'), asset: TOKEN, amount: '69', transaction, position },
  })
  await refuse('getDonationRefund', paths.refund, 'already_refunded', 'nothing to send')
  await refuse('prepareReturns', paths.returns, 'already_refunded', 'Leave it out', back())

  const declared = world.operations
    .filter(({ operationId }) => OPERATIONS.includes(operationId))
    .flatMap(({ operationId, errors = [] }) => errors.map((code) => `${operationId} ${code}`))
  expect(declared.filter((one) => !seen.has(one))).toEqual([])
})
