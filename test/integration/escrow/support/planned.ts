import { escrowFactory } from '../../../../contracts-abi/index.ts'
import { linkWallet } from '../../../support/linked-wallet.ts'
import { startTestChain, type TestChain } from '../../../support/test-chain.ts'
import { keyOf } from '../../../support/test-wallets.ts'
import type { WorldOptions } from '../../../support/world.ts'
import { campaignBody, createTestApi } from '../../http/support/api.ts'
import { createVerifier } from '../../milestones/support/verified-world.ts'

const DAY_MS = 86_400_000
const FACTORY_GAS = 6_000_000n

/** Deploys the factory by the deployment proxy, which a development chain has from its start. */
export const deployFactory = async (chain: TestChain): Promise<void> => {
  const { deploymentProxy: to, deploymentData: data } = escrowFactory
  await chain.send(await chain.sign(0, { to, data, gasLimit: FACTORY_GAS }))
  await chain.mine()
}

/** Starts a chain for one test, and deploys the factory on it. */
export const startFactoryChain = async (): Promise<TestChain> => {
  const chain = await startTestChain()
  await deployFactory(chain)
  return chain
}

/**
 * An API with a creator and three verifiers. The creator's wallet is key 7, the verifiers' keys are
 * 1 to 3.
 */
export const createPlanningWorld = async (options: WorldOptions & { chain?: TestChain } = {}) => {
  const { chain, ...rest } = options
  const api = await createTestApi({ ...(chain ? { rpcUrl: chain.url } : {}), ...rest })
  const creator = await api.signIn()
  const recipient = keyOf(7).address
  await linkWallet(api, creator.userId, recipient)
  const verifiers = [
    await createVerifier(api, 1),
    await createVerifier(api, 2),
    await createVerifier(api, 3),
  ]
  const daysAhead = (days: number) => new Date(api.ctx.clock.now().getTime() + days * DAY_MS)
  const terms = (changes: Record<string, unknown> = {}) => ({
    recipient,
    deadline: daysAhead(10).toISOString(),
    expiry: daysAhead(60).toISOString(),
    verifiers: verifiers.map(({ key }) => key.address),
    surplus: 'donors',
    ...changes,
  })
  /** A body of POST /api/campaigns with an escrow. An undefined field is left out. */
  const body = (escrow: Record<string, unknown> = {}, changes: Record<string, unknown> = {}) =>
    campaignBody({
      ...{ ledger_account: undefined, escrow: terms(escrow) },
      milestones: [{ description: 'Survey', amount: changes.target_amount ?? 1_000 }],
      ...changes,
    })
  const create = (escrow?: Record<string, unknown>, changes?: Record<string, unknown>) =>
    api.ask('POST', '/api/campaigns', { token: creator.token, body: body(escrow, changes) })
  return { ...api, creator, recipient, verifiers, terms, body, create, daysAhead }
}

export type PlanningWorld = Awaited<ReturnType<typeof createPlanningWorld>>

/** A campaign with an escrow in the form of an API answer. */
export type CampaignAnswer = {
  _id: string
  ledger_account: string
  status: string
  account_proven: boolean
  escrow: {
    packed: string
    deployed: boolean
    deployment: { chainId: number; to: string; data: string; value: string }
    [name: string]: unknown
  }
}
