import { type Json, poll } from './client.ts'
import type { Call } from './dev-chain.ts'
import { createEscrow, type EscrowCampaign, intend, sendReady, USDC } from './escrow.ts'
import type { Stage } from './stage.ts'
import { completed, donate, expectThat, expectWebhook, say } from './steps.ts'
import type { TypedData } from './wallet.ts'

type Ready = Parameters<typeof sendReady>[1]
type Wallets = { sendCalls: { calls: Call[] } }
type Transfer = { transaction: string; position: number; sender: string; receiver: string | null }
type Prepared = { needed: number; typedData: TypedData; transaction: Ready | null }

const HOUR_SECONDS = 3_600
/** The node's accounts from which ada and ben pay. */
const ADA = 1
const BEN = 2

/** An escrow that misses its target, and both ways in which donors get their money back. */
export const showRefunds = async (stage: Stage): Promise<void> => {
  const { api, chain, receiver, ada, ben } = stage
  const campaign = await createEscrow(stage, {
    title: 'A school for Bako',
    target: 1_000,
    milestones: [{ title: 'Roof', amount: 1_000 }],
    lastsSeconds: HOUR_SECONDS,
  })
  const before = await balances(stage)

  const gift = await chain.sendToken(ADA, campaign.account, 100n * USDC, { mints: false })
  const money = { value: '100', currency: 'USDC' }
  const plain = await donate(api, ada, campaign.id, money, gift.paid)
  const payment = { value: '250', wallet: chain.addressOf(BEN) }
  const { id: recorded, way } = await intend<Wallets>(stage, ben, campaign, payment, 'calls')
  await chain.sendCalls(BEN, way.sendCalls.calls)
  await completed(api, ada, plain.id)
  await completed(api, ben, recorded)
  say(
    'a second escrow: ada gave 100 USDC by plain transfer, ben 250 USDC by a call of the contract',
  )

  await chain.passTime(HOUR_SECONDS + 1)
  await close(stage, campaign)
  await expectWebhook(receiver, 'campaign.failed', { campaignId: campaign.id })
  const { status } = await api.call('GET', `/api/campaigns/${campaign.id}`)
  expectThat('The campaign has failed', status, 'failed')
  say(
    'the time is over and the target missed: a stranger closed the escrow, webhook campaign.failed',
  )

  await refund(stage, recorded)
  say('ben’s refund needed no signature: the contract had recorded him')

  await returnTransfers(stage, campaign, gift.paid.txHash)
  await expectWebhook(receiver, 'donation.refunded', { donationId: plain.id, status: 'refunded' })
  say('two of three verifiers signed where ada’s transfer goes back to, and a stranger sent it')
  expectThat('Both donors have all their money', await balances(stage), before)
  say('both donors have all their money back, to the unit')
}

const balances = async ({ chain }: Stage): Promise<string[]> =>
  (await Promise.all([ADA, BEN].map((index) => chain.balanceOf(chain.addressOf(index))))).map(
    String,
  )

/** Waits until the API offers the transaction `close`, and sends this transaction. */
const close = async (stage: Stage, { id }: EscrowCampaign): Promise<void> => {
  const ready = await poll('The escrow could not be closed', async () => {
    const { transactions } = await stage.api.call('GET', `/api/campaigns/${id}/escrow`)
    return (transactions as (Ready & { action: string })[]).find((one) => one.action === 'close')
  })
  await sendReady(stage, ready)
}

/** Verifiers sign the return of a transfer to its sender, and a stranger sends it. */
const returnTransfers = async (
  stage: Stage,
  { id }: EscrowCampaign,
  txHash: string,
): Promise<void> => {
  const { api, chain, verifiers } = stage
  const path = `/api/campaigns/${id}/returns`
  const { returns } = await api.call('GET', path)
  const [one] = (returns as Transfer[]).filter(({ transaction }) => transaction === txHash)
  if (!one?.receiver) throw new Error('The escrow lists no wallet to which ada’s money goes back.')
  expectThat('The money goes back to its sender', one.receiver, one.sender)
  const { transaction, position, receiver } = one
  const body = {
    list: [{ transaction, position, receiver }],
    validUntil: new Date(((await chain.time()) + HOUR_SECONDS) * 1_000).toISOString(),
  }
  const prepare = async (more: Json) =>
    (await api.call('POST', path, { ...body, ...more })) as Prepared
  const { needed, typedData } = await prepare({})
  const signatures = await Promise.all(
    verifiers.slice(0, needed).map(async ({ wallet }) => ({
      verifier: wallet.address,
      signature: await wallet.signTypedData(typedData),
    })),
  )
  const { transaction: ready } = await prepare({ signatures })
  if (!ready) throw new Error('The verifiers have signed, and there is no transaction.')
  await sendReady(stage, ready)
}

/** Waits until a donation can be refunded, sends the refund, and waits until it is final. */
const refund = async (stage: Stage, donationId: string): Promise<void> => {
  const { api, receiver } = stage
  let reason = ''
  const { transaction } = await poll('The donation could not be refunded', () =>
    api.call('GET', `/api/donations/${donationId}/refund`).catch((error: Error): Json | null => {
      if (error.message !== reason) say(`  … ${error.message}`)
      reason = error.message
      return null
    }),
  )
  await sendReady(stage, transaction as Ready)
  await expectWebhook(receiver, 'donation.refunded', { donationId, status: 'refunded' })
}
