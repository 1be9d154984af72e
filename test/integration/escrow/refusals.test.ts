import { expect, test } from 'vitest'
import { getRelease } from '../../../src/domain/escrow/release/index.ts'
import { STATUS_OF } from '../../../src/http/errors.ts'
import type { ErrorCode } from '../../../src/kernel/errors.ts'
import { address, blockHash, txHash } from '../../support/chain-facts.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { recordGift } from '../../support/recorded-gift.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { createTestCampaign, TOKEN } from '../../support/world.ts'
import { EVIDENCE } from '../milestones/support/verified-world.ts'
import { createEscrowWorld } from './support/escrow-world.ts'

const ROOT = `0x${'22'.repeat(32)}`
const ZERO = `0x${'0'.repeat(64)}`
const OPERATIONS = [
  'getEscrow',
  'getRefunds',
  'signRefundRoot',
  'listAccountRefunds',
  'prepareVeto',
  'prepareTermination',
  'getDonationRefund',
  'getMilestoneRelease',
  'getMilestoneRejection',
  'prepareMilestoneRejection',
]

/** Wallets whose signature of a verifier's call is refused: of a stranger, and a false one. */
const BAD_SIGNERS = [
  [9, 'forbidden', 'names its verifiers'],
  [1, 'invalid_signature', 'Sign the typedData'],
] as const

/** The input of a verifier's call, signed falsely by this key. */
const signedBy = (key?: number) => ({
  signatures: key === undefined ? [] : [{ verifier: keyOf(key).address, signature: '0x11' }],
})
const veto = (key?: number) => ({ body: signedBy(key) })
const reject = (key?: number) => ({ body: { evidence: EVIDENCE, ...signedBy(key) } })
const end = (key?: number) => ({ body: { reason: 'The creator has left.', ...signedBy(key) } })

/** An escrow with 69 of 70 USDC and no node, and everything that asks it. */
const setUp = async () => {
  const world = await createEscrowWorld({ required: [1, 1] })
  const { ctx, campaignId, milestoneIds } = world
  await world.give(69n)
  const verifier = await world.signIn({ roles: ['verifier'] })
  await linkWallet(world, verifier.userId, keyOf(1).address)
  const donationIn = async (campaign: string, tx: string): Promise<string> => {
    return recordGift(
      world.as(world.creator),
      campaign,
      { hash: txHash(tx), from: address('donor') },
      '1',
    )
  }
  const [given] = await ctx.sql<{ id: string }[]>`select id from donation`
  const seen = new Set<string>()
  const sign = (changes: object = {}) => ({
    token: verifier.token,
    body: { index: 0, root: ROOT, signature: '0x11', ...changes },
  })
  return {
    world,
    seen,
    sign,
    donationIn,
    paths: {
      escrow: `/api/campaigns/${campaignId}/escrow`,
      refunds: `/api/campaigns/${campaignId}/refunds`,
      signatures: `/api/campaigns/${campaignId}/refunds/signatures`,
      veto: `/api/campaigns/${campaignId}/refunds/veto`,
      termination: `/api/campaigns/${campaignId}/escrow/termination`,
      account: `/api/campaigns/${campaignId}/refunds/${address('donor')}`,
      refund: `/api/donations/${given?.id}/refund`,
      release: `/api/milestones/${milestoneIds[0]}/release`,
      rejection: `/api/milestones/${milestoneIds[0]}/rejection`,
    },
    /** Asks, and expects this code, its status, and a sentence with these words. */
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
      expect(body.error).toMatch(/^[A-Z].*\.$/)
      seen.add(`${operationId} ${code}`)
    },
    /** Writes how far the escrow's milestones are. */
    async setMilestones(status: string): Promise<void> {
      await ctx.sql`update milestone set status = ${status}`
    },
    async storeRoot(): Promise<void> {
      const leaves = [{ asset: TOKEN, donor: address('donor'), amount: '69000000' }]
      await ctx.sql`
        insert into refund_root
          (campaign_id, index, root, data_hash, block_number, block_hash, leaves, created_at)
        values (${campaignId}, 0, ${ROOT}, ${ZERO}, 9, ${blockHash(9)}, ${ctx.sql.json(leaves)},
                now())`
    },
  }
}

test('every refusal of the routes of escrows has its status, its code, and says what to do', async () => {
  const { world, seen, sign, donationIn, paths, refuse, setMilestones, storeRoot } = await setUp()
  const { terms, settled, setChainTime } = world

  const plain = await createTestCampaign(world.ctx, {
    ...{ creator: world.creator, account: address('plain'), target: '9', milestones: ['9'] },
  })
  const [step] = await world.ctx.sql<{ id: string }[]>`
    select id from milestone where campaign_id = ${plain}`
  const gift = await donationIn(plain, 'to a plain campaign')
  const none = 'Call this only for a campaign with the field `escrow`'
  await refuse('getEscrow', `/api/campaigns/${plain}/escrow`, 'not_escrowed', none)
  await refuse('getRefunds', `/api/campaigns/${plain}/refunds`, 'not_escrowed', none)
  const account = `/api/campaigns/${plain}/refunds/${address('donor')}`
  await refuse('listAccountRefunds', account, 'not_escrowed', none)
  const signatures = `/api/campaigns/${plain}/refunds/signatures`
  await refuse('signRefundRoot', signatures, 'not_escrowed', none, sign())
  await refuse('prepareVeto', `/api/campaigns/${plain}/refunds/veto`, 'not_escrowed', none, veto())
  const ending = `/api/campaigns/${plain}/escrow/termination`
  await refuse('prepareTermination', ending, 'not_escrowed', none, end())
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
  await refuse('signRefundRoot', paths.signatures, 'campaign_not_failed', 'Sign when', sign())
  await refuse('prepareVeto', paths.veto, 'refund_root_missing', 'Ask again', veto())
  for (const [key, code, words] of BAD_SIGNERS) {
    await refuse('prepareTermination', paths.termination, code, words, end(key))
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
  await refuse('getMilestoneRelease', paths.release, 'escrow_not_active', 'Send `cancel`')
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
  const asAdmin = { ...end(), token: admin.token }
  await refuse('prepareTermination', paths.termination, 'conflict', 'Open the campaign', asAdmin)
  await world.ctx.sql`update campaign set status = 'active' where id = ${world.campaignId}`
  await setMilestones('released')
  await refuse('getMilestoneRelease', paths.release, 'already_released', 'nothing is left')
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
  const left = 'the recipient gets what is left. There is no refund'
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
  await refuse('getMilestoneRelease', paths.release, 'escrow_failed', 'GET /api/campaigns/:id/ref')
  await refuse('prepareTermination', paths.termination, 'escrow_failed', 'Donors get', end())
  const refunds = 'GET /api/campaigns/:id/refunds'
  await refuse('getMilestoneRejection', paths.rejection, 'escrow_failed', refunds)
  await refuse('prepareMilestoneRejection', paths.rejection, 'escrow_failed', refunds, reject())
  await refuse('signRefundRoot', paths.signatures, 'refund_root_missing', 'again later', sign())
  await refuse('getDonationRefund', paths.refund, 'refund_root_missing', 'Ask the verifiers')
  await storeRoot()
  await refuse('signRefundRoot', paths.signatures, 'conflict', 'sign its root', sign({ index: 1 }))
  await refuse('signRefundRoot', paths.signatures, 'invalid_signature', 'Sign the typed', sign())
  const stranger = sign({ verifier: keyOf(9).address })
  await refuse('signRefundRoot', paths.signatures, 'forbidden', 'names its verifiers', stranger)
  const readyAt = terms.expiry + 1 + terms.challenge
  await settled({
    kind: 'RootProposed',
    fields: { index: 0, root: ROOT, dataHash: ZERO, readyAt },
  })
  const from = new Date(readyAt * 1_000).toISOString()
  await refuse('getDonationRefund', paths.refund, 'refund_window_open', from)
  for (const [key, code, words] of BAD_SIGNERS) {
    await refuse('prepareVeto', paths.veto, code, words, veto(key))
  }
  const vetoer = keyOf(1).address.toLowerCase()
  const [one] = signedBy(1).signatures
  const twice = { body: { signatures: [one, { ...one, verifier: vetoer }] } }
  expect(await world.ask('POST', paths.veto, twice)).toMatchObject({
    ...{ status: 400, body: { error: 'signatures must name each verifier only once.' } },
  })
  await settled({ kind: 'RootVetoed', fields: { index: 0, root: ROOT, verifier: vetoer } })
  await settled({
    kind: 'RootProposed',
    fields: { index: 1, root: ROOT, dataHash: ZERO, readyAt },
  })
  await refuse('prepareVeto', paths.veto, 'conflict', 'Another verifier', veto(1))
  await world.ctx.sql`
    delete from escrow_event
    where kind = 'RootVetoed' or kind = 'RootProposed' and fields ->> 'index' = '1'`
  await setChainTime(readyAt)
  expect((await world.ask('GET', paths.refund)).status).toBe(200)
  await settled({
    kind: 'Refunded',
    fields: { donor: address('donor'), asset: TOKEN, amount: '69000000', recorded: false },
  })
  await refuse('getDonationRefund', paths.refund, 'already_refunded', 'nothing to send')

  const declared = world.operations
    .filter(({ operationId }) => OPERATIONS.includes(operationId))
    .flatMap(({ operationId, errors = [] }) => errors.map((code) => `${operationId} ${code}`))
  expect(declared.filter((one) => !seen.has(one))).toEqual([])
})
