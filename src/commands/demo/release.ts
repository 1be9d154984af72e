import type { Json } from './client.ts'
import type { Call } from './dev-chain.ts'
import { createEscrow, type EscrowCampaign, intend, STRANGER, sendReady, USDC } from './escrow.ts'
import type { Stage } from './stage.ts'
import { completed, donate, expectThat, expectWebhook, say } from './steps.ts'
import { createWallet, encodeCall, type TypedData } from './wallet.ts'

type Authorization = {
  typedData: TypedData
  relay: { calls: Call[]; to: string; function: string; arguments: string[] }
}

const EVIDENCE = [
  {
    type: 'document',
    url: 'https://example.org/well.pdf',
    timestamp: '2026-01-15T10:00:00.000Z',
  },
]

/** An escrow that two donors fill in two ways, and a milestone that two of three verifiers pay. */
export const showRelease = async (stage: Stage): Promise<void> => {
  const { api, chain, receiver, ada, recipient } = stage
  const campaign = await createEscrow(stage, {
    title: 'A deep well for Bako',
    target: 20_000,
    milestones: [
      { title: 'Drilling', amount: 12_000 },
      { title: 'Pump', amount: 8_000 },
    ],
    lastsSeconds: 86_400,
  })
  say(`carla opened a campaign with an escrow at ${campaign.account}, where no code is yet`)

  const gift = await chain.sendToken(1, campaign.account, 12_000n * USDC)
  const money = { value: '12000', currency: 'USDC' }
  const plain = await donate(api, ada, campaign.id, money, gift.paid)
  await completed(api, ada, plain.id)
  await expectWebhook(receiver, 'donation.completed', { donationId: plain.id })
  say('ada paid 12000 USDC by a plain transfer: credited before the contract is deployed')

  await payByAuthorization(stage, campaign)
  say('ben, who has no ether, signed 8000 USDC: a stranger deployed the escrow and paid')

  const [drilling] = campaign.milestones
  if (!drilling) throw new Error('The campaign has no milestone.')
  await approve(stage, campaign, drilling.id)
  await expectWebhook(receiver, 'impact.verified', { milestoneId: drilling.id })
  const { status } = await api.call('GET', `/api/milestones/${drilling.id}`)
  expectThat('The milestone is verified, and not released', status, 'verified')
  say('two of three verifiers signed the contract’s message: the milestone is verified')

  const before = await chain.balanceOf(recipient.address)
  const ready = await api.call('GET', `/api/milestones/${drilling.id}/release`)
  await sendReady(stage, ready as Parameters<typeof sendReady>[1])
  const got = (await chain.balanceOf(recipient.address)) - before
  expectThat('The recipient has the milestone’s amount', String(got), String(12_000n * USDC))
  say('a stranger sent the release: the recipient has 12000 USDC more on the chain')
  await expectWebhook(receiver, 'milestone.released', { milestoneId: drilling.id })
  say('webhook: milestone.released, when its block was final')
}

/** Ben signs an authorization, and a stranger sends it to the chain. */
const payByAuthorization = async (stage: Stage, campaign: EscrowCampaign): Promise<void> => {
  const { api, chain, receiver, ben } = stage
  const wallet = createWallet()
  await chain.mint(wallet.address, 8_000n * USDC)
  const payment = { value: '8000', wallet: wallet.address }
  const { id, way } = await intend<Authorization>(stage, ben, campaign, payment, 'authorization')
  const { typedData, relay } = way
  const signature = await wallet.signTypedData(typedData)
  const call = { to: relay.to, data: encodeCall(relay.function, [...relay.arguments, signature]) }
  await chain.sendCalls(STRANGER, [...relay.calls, call])
  await completed(api, ben, id)
  await expectWebhook(receiver, 'donation.completed', { donationId: id })
}

/** Two verifiers approve; after the first the milestone waits. */
const approve = async (
  { api, verifiers }: Stage,
  { id: campaignId }: EscrowCampaign,
  milestoneId: string,
): Promise<void> => {
  for (const [index, { session, wallet }] of verifiers.slice(0, 2).entries()) {
    const path = `/api/milestones/${milestoneId}/verification`
    const body = { evidence: EVIDENCE }
    const { typedData } = await api.call('POST', path, body, session.token)
    const verifierSignature = await wallet.signTypedData(typedData as TypedData)
    const verification = { status: 'completed', evidence: EVIDENCE, verifierSignature }
    const answer = await api.call(
      'POST',
      '/api/milestones/verify',
      { campaignId, milestoneId, verification },
      session.token,
    )
    const { missing } = answer.milestone as Json
    expectThat('The milestone needs two verifiers', missing, 1 - index)
  }
}
