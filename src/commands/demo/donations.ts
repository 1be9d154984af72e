import type { Json } from './client.ts'
import type { Stage } from './stage.ts'
import { completed, donate, expectThat, expectWebhook, say } from './steps.ts'

/** Donations in two assets, milestones, the target, and a reorg that takes a donation back. */
export const showDonations = async ({
  api,
  chain,
  receiver,
  creator,
  ada,
  ben,
  provenBlock,
}: Stage): Promise<void> => {
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
  const proven = await provenBlock()
  if (proven !== null && proven >= gift.block) {
    say(`the chain’s sync committee has proven that block ${proven} is final, with all before it`)
  }
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
}
