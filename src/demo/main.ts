import { loadDemoConfig } from '../config/config.ts'
import { messageOf, StartError } from '../kernel/errors.ts'
import { readRuntime } from '../local/runtime.ts'
import { type ApiClient, createApiClient, type Json, poll, type Session } from './client.ts'
import { connectDevChain, type DevChain } from './dev-chain.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/**
 * `npm run demo`: runs all steps of a donation on a running instance, with real transactions.
 * Prints one line per step. Exits with code 1 at the first step that fails.
 */
const EVENTS = [
  'donation.completed',
  'campaign.milestone.reached',
  'campaign.funded',
  'donation.reversed',
  'campaign.threshold.reverted',
]

const startedAt = Date.now()
const say = (line: string): void => {
  console.log(`${((Date.now() - startedAt) / 1_000).toFixed(1).padStart(5)} s  ${line}`)
}

const expectThat = (promise: string, actual: unknown, expected: unknown): void => {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return
  throw new Error(
    `${promise}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(actual)}.`,
  )
}

const main = async (): Promise<void> => {
  const { baseUrl: givenUrl, rpcUrl, dataDir } = loadDemoConfig()
  const runtime = readRuntime(dataDir)
  const baseUrl = givenUrl ?? runtime?.apiUrl
  const rpc = rpcUrl ?? runtime?.chains[0]?.rpc[0]
  const token = runtime?.chains[0]?.tokens[0]?.address
  if (!rpc || !token || !baseUrl) {
    throw new StartError('The demo needs a running instance: `npm start` in another terminal.')
  }
  const api = createApiClient(baseUrl)
  await api.call('GET', '/readyz').catch((error) => {
    throw new StartError(`Nothing is ready at ${baseUrl}: ${messageOf(error)}`)
  })
  const chain = await connectDevChain(rpc, token)
  const receiver = await startReceiver()
  try {
    const creator = await api.signUp('carla')
    if (!(await isSameChain(api, chain, creator))) {
      throw new StartError(
        `The API at ${baseUrl} uses another chain than ${rpc}. Set BASE_URL and DATA_DIR to one instance.`,
      )
    }
    await tell(api, chain, receiver, creator)
  } finally {
    await receiver.close()
  }
}

/** Whether the API uses this chain: the chain must know a transaction that the API has sent. */
const isSameChain = async (api: ApiClient, chain: DevChain, user: Session): Promise<boolean> => {
  const address = chain.newAddress()
  const { txHashes } = await api.call('POST', '/api/sandbox/faucet', { address }, user.token)
  return await chain.knows((txHashes as string[])[0] ?? '')
}

const tell = async (
  api: ApiClient,
  chain: DevChain,
  receiver: Receiver,
  creator: Session,
): Promise<void> => {
  const ada = await api.signUp('ada')
  const ben = await api.signUp('ben')
  say('carla, ada and ben registered, verified the mailed codes, and signed in')

  const { webhook } = (await api.call(
    'POST',
    '/api/webhooks',
    { url: receiver.url, events: EVENTS, description: 'demo receiver' },
    creator.token,
  )) as { webhook: { secret: string } }
  receiver.trust(webhook.secret)
  say('carla registered a webhook endpoint and keeps its secret')

  const account = chain.newAddress()
  const created = await api.call(
    'POST',
    '/api/campaigns',
    {
      title: 'Wells for Bako',
      description: 'Two wells, each paid when it gives water.',
      target_amount: 1000,
      ledger_account: account,
      milestones: [
        { title: 'First well', description: 'Dug and tested', amount: 400 },
        { title: 'Second well', description: 'Dug and tested', amount: 600 },
      ],
    },
    creator.token,
  )
  const campaignId = String((created.campaign as Json)._id)
  say(`carla opened a campaign for 1000 USDC with two milestones, paid to ${account}`)

  const gift = await chain.sendToken(1, account, 500_000_000n)
  const first = await donate(api, ada, campaignId, { value: '500', currency: 'USDC' }, gift.paid)
  say(`ada paid 500 USDC in block ${gift.block} and posted its hash: ${first.status}`)
  await completed(api, ada, first.id)
  say('ada’s donation is final on the chain and credited')
  await expectWebhook(receiver, 'donation.completed', { donationId: first.id })
  await expectWebhook(receiver, 'campaign.milestone.reached', { title: 'First well' })
  say('webhook: donation.completed and the first milestone, with valid signatures')

  const ether = await chain.sendEther(2, account, 2n * 10n ** 17n)
  const second = await donate(api, ben, campaignId, { value: '0.2', currency: 'ETH' }, ether.paid)
  say(`ben paid 0.2 ETH in block ${ether.block} and posted its hash: ${second.status}`)
  await completed(api, ben, second.id)
  await expectWebhook(receiver, 'donation.completed', { donationId: second.id })
  await expectWebhook(receiver, 'campaign.milestone.reached', { title: 'Second well' })
  await expectWebhook(receiver, 'campaign.funded', { campaignId })
  const funded = await api.call('GET', `/api/campaigns/${campaignId}`)
  expectThat('The campaign holds both donations', funded.current_amount, 1000)
  expectThat('The campaign is funded', funded.status, 'funded')
  say('webhook: second milestone and campaign.funded; 0.2 ETH counts 500 USDC, 1000 of 1000 raised')

  const depth = await chain.takeBackFrom(ether.block)
  say(`a reorg replaced the last ${depth} blocks, with ben’s donation`)
  await expectWebhook(receiver, 'donation.reversed', { donationId: second.id })
  await expectWebhook(receiver, 'campaign.threshold.reverted', { threshold: 'target' })
  await expectWebhook(receiver, 'campaign.threshold.reverted', { threshold: 'milestone' })
  const left = await api.call('GET', `/api/campaigns/${campaignId}`)
  expectThat('Only ada’s donation is left', left.current_amount, 500)
  expectThat('The campaign is open again', left.status, 'active')
  const reversed = await api.call('GET', `/api/donations/${second.id}`, undefined, ben.token)
  expectThat('Ben’s donation is reversed', reversed.status, 'reversed')
  say('webhook: donation.reversed and both thresholds; 500 of 1000 raised, the campaign is active')

  expectThat('Every webhook was signed', receiver.refused, [])
  say(`all ${receiver.events.length} webhooks verified. Every step gave the expected result.`)
}

const donate = async (
  api: ApiClient,
  { userId, token }: Session,
  campaignId: string,
  amount: { value: string; currency: string },
  transaction: { txHash: string; ledgerAddress: string },
): Promise<{ id: string; status: string }> => {
  const body = { userId, campaignId, amount, transaction }
  const { donation } = await api.call('POST', '/api/donations', body, token)
  return donation as { id: string; status: string }
}

/** Waits until a donation is completed. Prints each reason why the donation still waits. */
const completed = async (api: ApiClient, donor: Session, id: string): Promise<void> => {
  let shown = ''
  await poll(`Donation ${id} was not completed`, async () => {
    const donation = await api.call('GET', `/api/donations/${id}`, undefined, donor.token)
    if (donation.status === 'completed') return true
    const { reason } = donation.confirmation as { reason: string }
    if (reason !== shown) say(`  … ${donation.status}: ${reason}`)
    shown = reason
    return false
  })
}

const expectWebhook = ({ events }: Receiver, event: string, data: Json) =>
  poll(`No webhook ${event} arrived`, () =>
    events.find(
      (received) =>
        received.event === event &&
        Object.entries(data).every(([name, value]) => received.data[name] === value),
    ),
  )

try {
  await main()
} catch (error) {
  console.error(`The demo failed: ${messageOf(error)}`)
  process.exitCode = 1
}
