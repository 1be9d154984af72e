import { Wallet } from 'ethers'
import { onTestFinished } from 'vitest'
import { EXAMPLE_PASSWORD } from '../../../../src/api/openapi/samples.ts'
import { connectDevNode } from '../../../../src/chain/index.ts'
import { notify } from '../../../../src/domain/people/index.ts'
import { newId } from '../../../../src/kernel/formats/ids.ts'
import { createLog } from '../../../../src/kernel/ports/log.ts'
import { CHAIN_ID, minedAt, startChain, USDC_ASSET } from '../../../support/chain-facts.ts'
import { linkWallet } from '../../../support/linked-wallet.ts'
import { startTestChain } from '../../../support/test-chain.ts'
import { testChainConfig } from '../../../support/world.ts'
import { deployFactory } from '../../escrow/support/planned.ts'
import { signUp } from './account.ts'
import { type Caller, campaignBody, createTestApi, type TestApi } from './api.ts'

/**
 * The caller of an example, the id in its path, and the fields that replace values of the example.
 */
export type Scene = { token: string; id?: string; fields?: Record<string, unknown> }
type Draw = (
  api: TestApi,
  own: Caller,
  example: string,
) => Promise<Omit<Scene, 'token'> & Partial<Scene>>

/** An API with a development chain that has some blocks and the factory. */
export const createExampleApi = async (): Promise<TestApi> => {
  const chain = await startTestChain()
  await chain.mine(8)
  await deployFactory(chain)
  const devChain = await connectDevNode(testChainConfig(chain.url), createLog('silent', 'test'))
  if (!devChain) throw new Error('Anvil was not recognised.')
  onTestFinished(() => devChain.close())
  const api = await createTestApi({ rpcUrl: chain.url, deps: { devChain } })
  await startChain(api.ctx)
  return api
}

/** Prepares an example: creates a user, and the rows that the operation needs. */
export const sceneOf = async (
  api: TestApi,
  operationId: string,
  example: string,
): Promise<Scene> => {
  const own = await api.signIn()
  const campaign = await newCampaign(api, own)
  const drawn = await SCENES[operationId]?.(api, own, example)
  return {
    token: own.token,
    ...drawn,
    fields: {
      ...{ userId: own.userId, creator_id: own.userId, creatorId: own.userId },
      ...{ campaignId: campaign.id, milestoneId: campaign.milestoneId, chainId: CHAIN_ID },
      ...{ ledger_account: newAddress(), ledgerAccount: newAddress(), txHash: newHash() },
      ...{ slug: newName() },
      ...drawn?.fields,
    },
  }
}

const newAddress = (): string => Wallet.createRandom().address
const newHash = (): string => Wallet.createRandom().privateKey
const newName = (): string => `ada${newId().replaceAll('-', '').slice(-20)}`

type Campaign = { _id: string; milestones: { id: string }[] }
type Body = Record<string, Record<string, unknown> & { id: string }>

const post = async (api: TestApi, token: string, path: string, body?: unknown): Promise<Body> => {
  const answer = await api.ask('POST', path, { token, ...(body === undefined ? {} : { body }) })
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`)
  return answer.body as Body
}

const newCampaign = async (api: TestApi, { token }: Caller, changes = {}) => {
  const body = campaignBody({ ledger_account: newAddress(), ...changes })
  const { campaign } = await post(api, token, '/api/campaigns', body)
  const { _id: id, milestones } = campaign as unknown as Campaign
  return { id, milestoneId: milestones[0]?.id ?? '' }
}

/** Links a wallet directly in the database, because an example cannot contain a valid signature. */
const newWallet = async (api: TestApi, { userId }: Caller): Promise<string> => {
  const address = newAddress()
  await linkWallet(api, userId, address)
  return address
}

const newWebhook = async (api: TestApi, { token }: Caller): Promise<string> => {
  const { webhook } = await post(api, token, '/api/webhooks', { url: 'http://127.0.0.1:3999/hook' })
  return webhook?.id ?? ''
}

/**
 * A signed-in account with the password of the examples. In the minimal example it has no password.
 */
const withPassword: Draw = async ({ ctx, deps }, { userId }, example) => {
  const hash =
    example === 'minimal' ? null : await deps.credentials.passwords.hash(EXAMPLE_PASSWORD)
  await ctx.sql`update app_user set password_hash = ${hash} where id = ${userId}`
  await ctx.sql`update campaign set status = 'completed' where creator_id = ${userId}`
  return { fields: { email: `${newName()}@example.com` } }
}

/** The names of an account that does not exist yet. */
const newAccount: Draw = async () => {
  const name = newName()
  return { fields: { email: `${name}@example.org`, username: name } }
}

const ofCampaign: Draw = async (api, own) => ({ id: (await newCampaign(api, own)).id })

const ofMilestone: Draw = async (api, own) => ({ id: (await newCampaign(api, own)).milestoneId })
const ofWebhook: Draw = async (api, own) => ({ id: await newWebhook(api, own) })
const byAdmin: Draw = async (api, own) => ({
  id: own.userId,
  token: (await api.signIn({ roles: ['admin'] })).token,
})

/** Records an intent for a campaign of the donor. */
const ofIntent: Draw = async (api, own) => {
  const body = intent((await newCampaign(api, own)).id)
  const { data } = await post(api, own.token, '/v1/donations', body)
  return { id: data?.id ?? '' }
}

/** Links the wallets that a new escrow needs. */
const ofEscrow: Draw = async (api, own) => {
  const verifier = await api.signIn({ roles: ['verifier'] })
  const fields = {
    recipient: await newWallet(api, own),
    verifiers: [await newWallet(api, verifier)],
  }
  return { fields }
}

/** The operations that need more than a user with a campaign. */
const SCENES: Readonly<Record<string, Draw>> = {
  register: newAccount,
  requestVerification: newAccount,
  resetPassword: newAccount,
  changeAccount: newAccount,
  login: async (api) => {
    const username = newName()
    await signUp(api, username)
    return { fields: { username } }
  },
  changePassword: withPassword,
  createKey: async (api, own) => withPassword(api, own, 'full'),
  changeEmail: withPassword,
  deleteAccount: withPassword,
  renameKey: async (api, { token }) => {
    const { key } = await post(api, token, '/api/keys', { name: 'Shop', scopes: ['read'] })
    return { id: key?.id ?? '' }
  },
  createCampaign: ofEscrow,
  v1CreateCampaign: ofEscrow,
  changeRoles: byAdmin,
  changeCampaign: async (api, own) => newCampaign(api, own, { status: 'draft' }),
  proveAccount: async (api, own) =>
    newCampaign(api, own, { ledger_account: await newWallet(api, own) }),
  claimDeposit: async (api, own) => {
    const campaign = await newCampaign(api, own)
    const id = newId()
    await api.ctx.sql`
      insert into chain_transfer (id, chain_id, tx_hash, position, asset_id, sender, recipient,
                                  amount, block_number, block_hash, mined_at, seen_at)
      select ${id}, ${CHAIN_ID}, ${newHash()}, 1, ${USDC_ASSET},
             ${(await newWallet(api, own)).toLowerCase()}, account, 1, 7, ${newHash()}, ${minedAt(7)}, now()
      from campaign where id = ${campaign.id}`
    return { id }
  },
  verifyImpact: async (api, own) => {
    const { id: campaignId } = await newCampaign(api, own)
    const metrics = [{ name: 'Wells', current: 1 }]
    const made = await post(api, own.token, '/api/impactmetrics', { campaignId, metrics })
    return { ...(await byAdmin(api, own, '')), id: made.impactMetrics?.id ?? '' }
  },
  prepareMilestoneVerification: ofMilestone,
  prepareMilestoneRejection: ofMilestone,
  verifyMilestone: byAdmin,
  prepareReturns: ofCampaign,
  prepareTermination: ofCampaign,
  v1VerifyMilestone: byAdmin,
  changeNotification: async ({ ctx }, { userId }) => {
    const values = { campaign: 'Wells' }
    await notify(ctx, [{ userId, type: 'impact_verified', values, data: {} }])
    const [row] = await ctx.sql<{ id: string }[]>`
      select id from notification where user_id = ${userId}`
    return { id: row?.id ?? '' }
  },
  v1ClaimDonation: async (api, own) => {
    const body = intent((await newCampaign(api, own)).id)
    const { body: made } = await api.ask('POST', '/v1/donations', { body })
    return { fields: { token: (made as Body).claim?.token } }
  },
  v1ChangeDonation: ofIntent,
  setDonationVisibility: ofIntent,
  changeUpdate: async (api, own) => {
    const { id: campaignId } = await newCampaign(api, own)
    const body = { campaignId, type: 'news', title: 'Water', content: 'It runs.' }
    const { update } = await post(api, own.token, '/api/updates', body)
    return { id: update?.id ?? '' }
  },
  changeWebhook: ofWebhook,
  replayWebhook: ofWebhook,
  testWebhook: ofWebhook,
  sendSandboxEvent: async (api, own) => ({ fields: { endpointId: await newWebhook(api, own) } }),
  dropSandboxTransaction: async (api, { token }) => {
    const made = await post(api, token, '/api/sandbox/faucet', { address: newAddress() })
    return { fields: { txHash: (made as unknown as { txHashes: string[] }).txHashes[0] } }
  },
}

const intent = (campaignId: string) => ({
  campaignId,
  amount: { value: '12.50', currency: 'USDC' },
  donor: { walletAddress: newAddress() },
})
