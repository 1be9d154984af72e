import { setTimeout as sleep } from 'node:timers/promises'
import { connectDevNode } from '../../chain/index.ts'
import type { ChainConfig } from '../../config/config.ts'
import type { Context } from '../../db/context.ts'
import type { CampaignView } from '../../domain/campaigns/index.ts'
import { donate, screenDonation } from '../../domain/donations/index.ts'
import { parseUnits } from '../../kernel/money/money.ts'
import { callNode } from '../../local/rpc.ts'
import type { SeededStory } from './campaigns.ts'

type Seeded = { campaign: CampaignView; story: SeededStory }

const STEP_MS = 100
const TIMEOUT_MS = 15_000
/** Makes the payments final at once. The development chain finalizes a block after two others. */
const BLOCKS = '0x3'

/**
 * Pays on the development chain, records the donations, and waits until the worker has credited
 * them. Does nothing if the chain is no development chain, or has no token of the default currency.
 * If the worker needs more than 15 seconds, the donations are credited later.
 */
export const seedDonations = async (
  donor: Context,
  chain: ChainConfig,
  seeded: readonly Seeded[],
): Promise<void> => {
  const token = chain.tokens.find(({ symbol }) => symbol === donor.settings.defaultCurrency)
  const node = token && (await connectDevNode(chain, donor.log))
  if (!node) return
  // A list of sanctions does not count for made-up donors.
  const unscreened: Context = { ...donor, actor: { kind: 'system' } }
  try {
    for (const { campaign, story } of seeded) {
      const to = campaign.ledgerAccount
      for (const { amount, name, message } of story.donors) {
        const units = parseUnits(amount, token.decimals)
        const { txHash, from } = await node.transfer({ to, token: token.address, units })
        const donation = await screenDonation(unscreened, {
          campaignId: campaign.id,
          amount: { value: amount, currency: token.symbol },
          transaction: { txHash, ledgerAddress: from },
          donor: { name, message },
        })
        await donate(donor, donation)
      }
    }
    await callNode(chain.rpc[0] ?? '', 'anvil_mine', [BLOCKS])
    const endMs = Date.now() + TIMEOUT_MS
    while ((await hasUncredited(donor)) && Date.now() < endMs) await sleep(STEP_MS)
  } finally {
    await node.close()
  }
}

const hasUncredited = async ({ sql }: Context): Promise<boolean> => {
  const [found] = await sql`select from donation where status <> 'completed' limit 1`
  return found !== undefined
}
