import { address, applyBlock, minedAt, startChain, txHash } from '../../../support/chain-facts.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { finalise } from '../../../support/finalise.ts'
import { createTestCampaign, createUser } from '../../../support/world.ts'
import { createTestPages } from './test-pages.ts'

const ACCOUNT = address('campaign')
const USDC = 1_000_000n

type Giving = { wallet?: string; words?: object; token?: string | undefined }

/**
 * The pages, and an open campaign `/c/clean-water` on a followed chain. Its donations are 10 USDC.
 */
export const openCampaign = async () => {
  const pages = await createTestPages({ clock: createFakeClock(minedAt(0)) })
  const { ctx } = pages
  const creator = await createUser(ctx)
  const id = await createTestCampaign(ctx, { creator, account: ACCOUNT })
  await ctx.sql`update campaign set title = 'Clean water', slug = 'clean-water'`
  await startChain(ctx)
  let blocks = 0
  return {
    ...pages,
    ...{ id, creator },
    /** Records a donation of a guest, or of the account with this token. */
    give: async (tx: string, { wallet = address('donor'), words = {}, token }: Giving = {}) => {
      const { body } = await pages.ask('POST', '/v1/donations', {
        ...(token === undefined ? {} : { token }),
        body: {
          campaignId: id,
          amount: { value: '10', currency: 'USDC' },
          donor: { walletAddress: wallet, ...words },
          transaction: { txHash: txHash(tx), ledgerAddress: ACCOUNT },
        },
      })
      const claim = body.claim as { token: string } | null
      return { id: (body.data as { id: string }).id, claimToken: claim?.token ?? '' }
    },
    /** Applies a block with the payment. `settle` makes the block final. */
    pay: async (tx: string, wallet?: string) => {
      blocks++
      const from = wallet ? { from: wallet.toLowerCase() } : {}
      await applyBlock(ctx, blocks, [{ tx, to: ACCOUNT, ...from, usdc: 10n * USDC, claimed: true }])
    },
    settle: () => finalise(ctx, blocks),
  }
}
