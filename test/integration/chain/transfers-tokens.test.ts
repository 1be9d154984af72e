import { describe, expect, test } from 'vitest'
import { address } from '../../support/chain-facts.ts'
import { hasAnvil, startTestChain, type TestChain } from '../../support/test-chain.ts'
import { TOKEN } from '../../support/world.ts'
import { at, createPaymentsWorld, type Deployed, deploy } from './support/payments.ts'

const CAMPAIGN = address('campaign')
const OTHER = address('other campaign')

const asset = (token: Deployed, symbol: string) => ({ symbol, address: token.address, decimals: 6 })
/** Deploys a token, and mints some for the test accounts. */
const issue = async (chain: TestChain, name: 'feeToken' | 'falseToken' | 'token') => {
  const token = await deploy(chain, name)
  await token.call(1, 'mint', [chain.addressOf(1), 10_000_000n])
  await chain.mine()
  return token
}

describe.skipIf(!hasAnvil)('transfers of tokens', () => {
  test('a token that keeps a fee counts with what arrived, not with what was sent', async () => {
    const chain = await startTestChain()
    const token = await issue(chain, 'feeToken')
    const { claim, transfers, donations, mineAndFollow } = await createPaymentsWorld('traces', {
      chain,
      tokens: [asset(token, 'FEE')],
    })
    const paid = await token.call(1, 'transfer', [CAMPAIGN, 10_000n])
    await claim(paid, CAMPAIGN, '0.01', 'FEE')
    await mineAndFollow()
    expect(await transfers()).toMatchObject([
      { txHash: paid.hash, position: 0, amount: '9900', source: 'log' },
    ])
    expect(await donations()).toMatchObject([{ status: 'confirming', amount: '9900' }])
  })

  test('a counterfeit of the same symbol, an ERC-721 and a transfer of nothing are refused', async () => {
    const chain = await startTestChain()
    const counterfeit = await issue(chain, 'token')
    const nft = await deploy(chain, 'nft')
    const real = at(chain, 'token', TOKEN)
    const { claim, transfers, donations, mineAndFollow } = await createPaymentsWorld('traces', {
      chain,
      // A configuration that lists an NFT collection as a token by mistake has no effect either.
      tokens: [asset(nft, 'NFT')],
    })
    const claims = [
      await counterfeit.call(1, 'transfer', [CAMPAIGN, 5_000_000n]),
      await nft.call(1, 'mint', [CAMPAIGN, 5_000_000n]),
      // Any caller can transfer zero tokens from any account, which fills the history of addresses.
      await real.call(1, 'transferFrom', [chain.addressOf(2), CAMPAIGN, 0n]),
    ]
    for (const claimed of claims) await claim(claimed, CAMPAIGN, '5', 'USDC')
    await mineAndFollow(3)
    expect(await transfers()).toEqual([])
    expect((await donations()).map((one) => [one.status, one.reason])).toEqual([
      ['failed', 'unknown_token'],
      ['failed', 'wrong_recipient'],
      ['failed', 'wrong_recipient'],
    ])
  })

  test('a token that returns false instead of failing credits nothing', async () => {
    const chain = await startTestChain()
    const token = await issue(chain, 'falseToken')
    const { claim, transfers, donations, mineAndFollow } = await createPaymentsWorld('traces', {
      chain,
      tokens: [asset(token, 'OLD')],
    })
    await claim(await token.call(1, 'transfer', [CAMPAIGN, 20_000_000n]), CAMPAIGN, '20', 'OLD')
    const good = await token.call(1, 'transfer', [CAMPAIGN, 1_000_000n])
    await claim(good, CAMPAIGN, '1', 'OLD')
    await mineAndFollow(3)
    expect(await transfers()).toMatchObject([{ txHash: good.hash, amount: '1000000' }])
    expect((await donations())[0]).toMatchObject({ status: 'failed', reason: 'wrong_recipient' })
  })

  test('one transaction that pays several campaigns is a gift to each, and several to one', async () => {
    const chain = await startTestChain()
    const router = await deploy(chain, 'router')
    const token = at(chain, 'token', TOKEN)
    await token.call(1, 'approve', [router.address, 1_000n])
    await chain.mine()
    const { claim, transfers, donations, mineAndFollow } = await createPaymentsWorld('traces', {
      chain,
      accounts: [CAMPAIGN, OTHER],
    })
    const paid = await router.call(1, 'disperse', [
      TOKEN,
      [CAMPAIGN, OTHER, CAMPAIGN],
      [3n, 4n, 5n],
    ])
    await claim(paid, CAMPAIGN, '0.000003', 'USDC')
    await claim(paid, OTHER, '0.000004', 'USDC')
    await mineAndFollow(3)
    const all = (await transfers()).map((one) => [one.position, one.recipient, one.amount])
    expect(all).toHaveLength(3)
    expect(all).toEqual(
      expect.arrayContaining([
        [0, CAMPAIGN, '3'],
        [1, OTHER, '4'],
        [2, CAMPAIGN, '5'],
      ]),
    )
    expect((await donations()).map((one) => [one.status, one.amount])).toEqual([
      ['completed', '3'],
      ['completed', '4'],
    ])
  })
})
