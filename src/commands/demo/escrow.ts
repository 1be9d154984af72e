import type { Json, Session } from './client.ts'
import type { Call } from './dev-chain.ts'
import type { Stage } from './stage.ts'
import { expectThat } from './steps.ts'

/** The account of the node that sends transactions for others. It has no role in any campaign. */
export const STRANGER = 7

/** Base units of a whole USDC. */
export const USDC = 1_000_000n

type Milestone = { id: string; title: string; status: string }
export type EscrowCampaign = { id: string; account: string; milestones: Milestone[] }

type Terms = {
  title: string
  target: number
  milestones: { title: string; amount: number }[]
  /** The time until the deadline, in seconds from now by the clock of the chain. */
  lastsSeconds: number
}

/** Creates a campaign with an escrow, of which nothing is on the chain yet. */
export const createEscrow = async (
  { api, chain, creator, recipient, verifiers }: Stage,
  { title, target, milestones, lastsSeconds }: Terms,
): Promise<EscrowCampaign> => {
  const deadline = (await chain.time()) + lastsSeconds
  const at = (seconds: number) => new Date(seconds * 1_000).toISOString()
  const created = await api.call(
    'POST',
    '/api/campaigns',
    {
      title,
      description: 'The money waits in an escrow contract.',
      target_amount: target,
      milestones: milestones.map((one) => ({ ...one, description: 'Dug and tested' })),
      escrow: {
        recipient: recipient.address,
        deadline: at(deadline),
        activateBy: at(deadline),
        expiry: at(deadline + 86_400),
        verifiers: verifiers.map(({ wallet }) => wallet.address),
        surplus: 'donors',
      },
    },
    creator.token,
  )
  const campaign = created.campaign as Json
  const account = String(campaign.ledger_account)
  expectThat('No code is at the escrow yet', await chain.hasCode(account), false)
  return { id: String(campaign._id), account, milestones: campaign.milestones as Milestone[] }
}

type Ready = { sendCalls: { calls: Call[] } }

/** Sends the calls of a ready transaction from the stranger's account. */
export const sendReady = ({ chain }: Stage, { sendCalls }: Ready): Promise<void> =>
  chain.sendCalls(STRANGER, sendCalls.calls)

/** Announces a payment from a wallet. Returns the donation and the ways to pay. */
export const intend = async <T>(
  { api }: Stage,
  { token }: Session,
  { id: campaignId }: EscrowCampaign,
  { value, wallet }: { value: string; wallet: string },
  method: string,
): Promise<{ id: string; way: T }> => {
  const body = {
    campaignId,
    amount: { value, currency: 'USDC' },
    donor: { walletAddress: wallet },
  }
  const { data } = await api.call('POST', '/v1/donations', body, token)
  const { id, payment } = data as { id: string; payment: { methods: { method: string }[] } }
  const way = payment.methods.find((one) => one.method === method)
  if (!way) throw new Error(`The donation cannot be paid by ${method}.`)
  return { id, way: way as T }
}
