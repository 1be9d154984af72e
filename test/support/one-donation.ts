import { call, signUp } from './api-user.ts'
import { address } from './chain-facts.ts'
import type { TestChain } from './test-chain.ts'
import { waitFor } from './wait-for.ts'

/** Makes a campaign by HTTP, and a donation, from its transaction to its credit. */
export const makeOneDonation = async (port: number, chain: TestChain): Promise<void> => {
  const { token } = await signUp(port, 'ada')
  const account = address('campaign')
  const milestones = [{ title: 'First', description: 'First well', amount: 5 }]
  const goal = { target_amount: 5, ledger_account: account, milestones }
  const body = { title: 'Wells', description: 'Clean water', ...goal }
  const created = await call(port, 'POST', '/api/campaigns', { token, body })
  const campaignId = (created.body.campaign as { _id: string })._id
  // Block times are whole seconds. The pause makes the transfer later than the campaign's opening.
  await chain.call('evm_increaseTime', [2])
  const signed = await chain.send(await chain.signToken(1, account, 5_000_000n))
  const donation = {
    campaignId,
    amount: { value: 5, currency: 'USDC' },
    transaction: { txHash: signed.hash, ledgerAddress: signed.from },
  }
  const posted = await call(port, 'POST', '/api/donations', { token, body: donation })
  const { id } = posted.body.donation as { id: string }
  await chain.mine(3)
  await waitFor(
    'the donation to complete',
    async () => (await call(port, 'GET', `/api/donations/${id}`)).body.status,
    (status) => status === 'completed',
    60_000,
  )
}
