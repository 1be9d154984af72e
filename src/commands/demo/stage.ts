import { loadConfig } from '../../config/config.ts'
import { changeRoles } from '../../domain/account/index.ts'
import { newestProven } from '../../domain/blocks/index.ts'
import { type Base, openCommandBase } from '../base.ts'
import type { ApiClient, Session } from './client.ts'
import type { DevChain } from './dev-chain.ts'
import type { Receiver } from './receiver.ts'
import { say } from './steps.ts'
import { createWallet, linkWallet, type Wallet } from './wallet.ts'

type World = { api: ApiClient; chain: DevChain; receiver: Receiver; creator: Session }
type Verifier = { session: Session; wallet: Wallet }

/** The people of the demo, with their wallets. */
export type Stage = World & {
  ada: Session
  ben: Session
  /** Receives the milestones of carla's escrows. */
  recipient: Wallet
  verifiers: Verifier[]
  /** The newest block that the sync committee of the chain has proven; null without one. */
  provenBlock(): Promise<number | null>
}

const EVENTS = [
  'donation.completed',
  'campaign.milestone.reached',
  'campaign.funded',
  'donation.reversed',
  'campaign.threshold.reverted',
  'impact.verified',
  'milestone.released',
  'campaign.failed',
  'donation.refunded',
]
const VERIFIERS = ['vera', 'viktor', 'vivian']

/** Registers everyone, links the wallets, and lets carla listen to webhooks. */
export const createStage = async (world: World, dataDir: string): Promise<Stage> => {
  const { api, receiver, creator } = world
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

  const recipient = createWallet()
  await linkWallet(api, creator, recipient)
  const verifiers: Verifier[] = []
  for (const name of VERIFIERS) {
    const { email, password, ...rest } = await api.signUp(name)
    await makeVerifier(email, dataDir)
    // The new role is in the next token.
    const session = { ...rest, email, password, token: await api.signIn(email, password) }
    const wallet = createWallet()
    await linkWallet(api, session, wallet)
    verifiers.push({ session, wallet })
  }
  say(`${VERIFIERS.join(', ')} linked wallets, and the operator made them verifiers`)
  const provenBlock = () =>
    onInstance(dataDir, async ({ systemContext, places }) => {
      const newest = await newestProven(systemContext, places.chains[0]?.id ?? 0)
      return newest?.blockNumber ?? null
    })
  return { ...world, ada, ben, recipient, verifiers, provenBlock }
}

/** Does the same as `npm run admin -- grant <email> verifier`. */
const makeVerifier = (email: string, dataDir: string): Promise<unknown> =>
  onInstance(dataDir, ({ systemContext }) =>
    changeRoles(systemContext, { email }, { grant: ['verifier'] }),
  )

/** Does the work of a command on the instance that uses the folder. */
const onInstance = async <T>(dataDir: string, work: (base: Base) => Promise<T>): Promise<T> => {
  const base = await openCommandBase({ ...loadConfig(), dataDir })
  try {
    return await work(base)
  } finally {
    await base.stop()
  }
}
