import { Wallet } from 'ethers'
import { expect } from 'vitest'
import { checkLedger } from '../../../../src/domain/books/index.ts'
import { address, applyBlock, minedAt, startChain, txHash } from '../../../support/chain-facts.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { finalise } from '../../../support/finalise.ts'
import { createTestCampaign, createUser } from '../../../support/world.ts'
import { type Answered, createTestApi, type TestApi } from './api.ts'

export const ACCOUNT = address('campaign')
export const DONOR = Wallet.createRandom()
export const WALLET = DONOR.address.toLowerCase()
type Claim = { token: string; url: string; expiresAt: string }
type Options = Parameters<typeof createTestApi>[0]

/** An open campaign on a followed chain, and functions that act as guests. */
export const setUp = async (options: Options = {}) => {
  const clock = createFakeClock(minedAt(0))
  const api = await createTestApi({ clock, ...options })
  const creator = await createUser(api.ctx)
  const campaignId = await createTestCampaign(api.ctx, { creator, account: ACCOUNT })
  await startChain(api.ctx)
  const body = (changes: Record<string, unknown> = {}) => ({
    campaignId,
    amount: { value: '10', currency: 'USDC' },
    donor: { walletAddress: WALLET },
    ...changes,
  })
  const byHash = (tx: string) => ({ transaction: { txHash: txHash(tx), ledgerAddress: ACCOUNT } })
  let blocks = 0
  return {
    api,
    clock,
    campaignId,
    byHash,
    record: (changes: Record<string, unknown> = {}, token?: string) =>
      api.ask('POST', '/v1/donations', { body: body(changes), token }),
    read: async (answer: Answered, token?: string) =>
      (await api.ask('GET', `/v1/donations/${idOf(answer)}`, { token })).body,
    claim: (claim: string, token?: string) =>
      api.ask('POST', '/v1/donations/claim', {
        body: { token: claim },
        token,
      }),
    /** Records this number of guest intents that name the wallet, as if from several networks. */
    fillWallet: (count: number) => fillWallet(api, { campaignId, wallet: WALLET, count }),
    mine: async (tx: string, from = WALLET, claimed = false, usdc = 10_000_000n) => {
      blocks++
      await applyBlock(api.ctx, blocks, [{ tx, to: ACCOUNT, from, usdc, claimed }])
    },
    finalise: () => finalise(api.ctx, blocks),
    raised: async () =>
      (await api.ctx.sql<{ raised: string }[]>`select raised from campaign_total`)[0]?.raised,
    balanced: async () => expect((await checkLedger(api.ctx.pool)).differences).toEqual([]),
  }
}

/** Inserts pending guest intents that name a wallet. */
export const fillWallet = async (
  { ctx }: Pick<TestApi, 'ctx'>,
  { campaignId, wallet, count }: { campaignId: string; wallet: string; count: number },
) => {
  const now = ctx.clock.now()
  await ctx.sql`
    insert into donation (id, campaign_id, chain_id, donor_wallet, intent, ledger_address,
                          declared_asset_id, declared_amount, expires_at, created_at)
    select gen_random_uuid(), id, chain_id, ${wallet.toLowerCase()}, true,
           ${wallet.toLowerCase()}, currency_id, 1, ${new Date(now.getTime() + 86_400_000)}, ${now}
    from campaign, generate_series(1, ${count}::int) where id = ${campaignId}`
}

export const idOf = ({ body }: Answered) => (body.data as { id: string }).id
export const claimOf = ({ body }: Answered) => body.claim as Claim
/** The expected answer to a claim on a transaction that is already claimed. */
export const refused = { status: 409, body: { code: 'transfer_already_claimed' } }
/** The expected answer to a claim link that is invalid or used. */
export const unknown = { status: 404, body: { code: 'not_found' } }

/** Signs in with a wallet. */
export const signIn = async (api: TestApi, key: Wallet | typeof DONOR) => {
  const asked = { body: { address: key.address } }
  const { body } = await api.ask('POST', '/api/auth/wallets/sign-in/challenge', asked)
  const { message } = body.challenge as { message: string }
  const signed = { message, signature: await key.signMessage(message) }
  const answer = await api.ask('POST', '/api/auth/wallets/sign-in', { body: signed })
  const { user, tokens } = answer.body as {
    user: { id: string }
    tokens: { accessToken: string }
  }
  return { userId: user.id, token: tokens.accessToken }
}
