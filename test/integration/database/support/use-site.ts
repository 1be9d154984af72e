import type { Context } from '../../../../src/db/context.ts'
import {
  isAnythingDue,
  listClaimedHashes,
  listDueDonations,
  matchLateDonations,
  noteSigners,
  noteUnseen,
} from '../../../../src/domain/blocks/index.ts'
import { replaceTransactions } from '../../../../src/domain/blocks/match/replace-transaction.ts'
import {
  getCampaign,
  ListCampaigns,
  listCampaigns,
} from '../../../../src/domain/campaigns/index.ts'
import {
  cancelIntent,
  changeDonation,
  claimByWallet,
  claimDonation,
  getDonation,
  ListDeposits,
  ListDonations,
  listDeposits,
  listDonations,
  readDonations,
} from '../../../../src/domain/donations/index.ts'
import {
  campaignVersion,
  claimDeliveries,
  donationVersion,
  ListDeliveries,
  listDeliveries,
  recordAttempts,
  relayEvents,
} from '../../../../src/domain/events/index.ts'
import { ListNotifications, listNotifications } from '../../../../src/domain/people/index.ts'
import type { Actor } from '../../../../src/kernel/actor.ts'
import { address, applyBlock, CHAIN_ID, minedAt, txHash } from '../../../support/chain-facts.ts'
import { recordAsGuest, recordDonation, recordIntent } from '../../../support/donate.ts'
import { finalise } from '../../../support/finalise.ts'
import { linkWallet } from '../../../support/linked-wallet.ts'
import { createUser } from '../../../support/world.ts'
import { ACCOUNT, type Site } from './site.ts'

/**
 * Runs the functions of each request, donation and delivery, each with few rows: records, intents,
 * claims, matching, settling, deliveries and pages. `round` makes the hashes of payments new.
 */
export const useSite = async (site: Site, round: string): Promise<void> => {
  const { ctx, campaignId } = site
  const [donor, other] = [await createUser(ctx), await createUser(ctx)]
  const as = (actor: Actor): Context => ({ ...ctx, actor })
  const anyone = as({ kind: 'anonymous' })
  const hashOf = (name: string) => txHash(`${round} ${name}`)
  const walletOf = (name: string) => address(`${round} ${name}`)
  const gift = (name: string) => ({
    campaignId,
    amount: { value: '10', currency: 'USDC' },
    transaction: { txHash: hashOf(name), ledgerAddress: walletOf(name) },
    donor: { walletAddress: walletOf(name), name: 'A' },
  })
  const record = (by: Actor, name: string) => recordDonation(as(by), gift(name))
  const intend = ({ transaction: _, ...rest }: ReturnType<typeof gift>, by: Actor = donor) =>
    recordIntent(as(by), rest)
  const paid = (name: string, claimed = true) => {
    return { tx: `${round} ${name}`, from: walletOf(name), to: ACCOUNT, usdc: 10_000_000n, claimed }
  }

  await record(donor, 'recorded')
  await record(donor, 'recorded')
  const guest = await recordAsGuest(anyone, gift('guest'))
  await claimDonation(as(donor), { token: guest.claim.token })
  await recordAsGuest(anyone, gift('displaced'))
  await record(donor, 'displaced').catch(() => {})
  const { transaction: _, ...promise } = gift('promised')
  const promised = await recordAsGuest(anyone, promise)
  const claimToken = promised.claim.token
  await changeDonation(anyone, promised.donation.id, { txHash: hashOf('promised'), claimToken })
  const intent = await intend(gift('intent'))
  await cancelIntent(as(donor), (await intend(gift('cancelled'))).id)

  const unseen = await record(other, 'unseen')
  await isAnythingDue(ctx, CHAIN_ID)
  await noteSigners(ctx, CHAIN_ID, [
    { txHash: hashOf('unseen'), sender: walletOf('unseen'), nonce: 1 },
  ])
  await noteUnseen(ctx, [unseen.donation.id])
  await record(other, 'replaced')
  await replaceTransactions(ctx, CHAIN_ID, { number: site.block }, [
    { txHash: hashOf('replaced'), by: hashOf('replacing'), paid: [ACCOUNT] },
  ])
  await listClaimedHashes(ctx, CHAIN_ID, [hashOf('recorded')])

  site.clock.set(minedAt(site.block + 1))
  await applyBlock(ctx, site.block, [
    ...[paid('recorded'), paid('guest'), paid('displaced'), paid('replacing')],
    ...[paid('promised', false), paid('intent', false), paid('deposit', false)],
    ...[paid('late', false), paid('held', false), paid("guest's", false)],
  ])
  await record(donor, 'late')
  await record(donor, 'held')
  await recordAsGuest(anyone, gift("guest's"))
  for (const name of ['held', "guest's"]) {
    await linkWallet({ ctx }, other.userId, walletOf(name))
    await record(other, name)
  }
  site.clock.advance(20_000)
  await listDueDonations(ctx, CHAIN_ID, 10)
  await matchLateDonations(ctx, CHAIN_ID)
  await finalise(ctx, site.block)
  site.block++
  const wallet = { address: walletOf('promised'), chainId: CHAIN_ID, method: 'ecdsa' }
  await ctx.pool.begin((sql) => claimByWallet({ ...ctx, sql }, other.userId, wallet))

  const { deliveries } = await relayEvents(ctx, { limit: 100, capacity: 1, leaseMs: 60_000 })
  const claimed = await claimDeliveries(ctx, { limit: 2, perEndpoint: 10, leaseMs: 60_000 })
  const answer = { startedAt: ctx.clock.now(), durationMs: 3, statusCode: 200, responseBody: 'ok' }
  const result = { ...answer, errorKind: null, retryAfterMs: null }
  const attempts = [...deliveries, ...claimed].map((delivery) => ({ delivery, result }))
  await recordAttempts(ctx, attempts)

  await getCampaign(anyone, campaignId)
  await readDonations(ctx, campaignId, { limit: 10 })
  await campaignVersion(ctx, campaignId)
  await donationVersion(ctx, intent.id)
  await getDonation(as(donor), intent.id)
  await listDonations(as(donor), ListDonations.parse({ userId: donor.userId }))
  await listNotifications(as(donor), ListNotifications.parse({}))
  // A generic plan cannot use a partial index of one status, so these lists run with the mode
  // `auto`. PostgreSQL then takes a generic plan only if it costs no more.
  await ctx.sql.unsafe('set plan_cache_mode = auto')
  await listDonations(as(donor), ListDonations.parse({ campaignId, limit: 5 }))
  await listDonations(as(donor), ListDonations.parse({ status: ['failed'], limit: 5 }))
  await listCampaigns(anyone, ListCampaigns.parse({ limit: 5 }))
  await listDeposits(ctx, campaignId, ListDeposits.parse({ status: 'all', limit: 5 }))
  await listDeliveries(as(site.creator), site.endpointId, ListDeliveries.parse({ limit: 5 }))
}
