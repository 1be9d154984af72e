import { encodeAddressAmount, selectors } from '../../contracts-abi/index.ts'
import type { ChainConfig } from '../config/config.ts'
import { SEED_USER, type SeededCampaign } from './seed/seed.ts'

type BannerFacts = {
  publicUrl: string
  chain: ChainConfig | undefined
  dataDir: string
  campaign: SeededCampaign | undefined
  /** Whether the chain is the embedded development chain, whose node signs for all its accounts. */
  devChain: boolean
}

/** Anvil's second well-known account, which holds test ether and test USDC. */
const DONOR = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const DONOR_UNITS = 25_000_000n

/** Returns the text to print after the start: URLs and, if possible, commands for a donation. */
export const banner = (facts: BannerFacts): string => {
  const { publicUrl, chain, campaign } = facts
  const token = chain?.tokens[0]
  const lines = [
    '',
    `Fundproof is ready.   Open ${publicUrl}`,
    `Reference ${publicUrl}/docs   OpenAPI ${publicUrl}/openapi.json`,
    ...(chain ? [`Chain ${chain.id} (${chain.name}) ${chain.rpc[0] ?? ''}`] : []),
    `Data is kept in ${facts.dataDir}; Ctrl-C ends everything.`,
  ]
  if (!campaign || !facts.devChain || !chain || !token) return `${lines.join('\n')}\n`
  return [
    ...lines,
    '',
    '# The seeded campaign, and a donation to it. Paste these lines one after the other:',
    `API=${publicUrl}; RPC=${chain.rpc[0]}; CAMPAIGN=${campaign.id}`,
    'curl -s $API/api/campaigns/$CAMPAIGN; echo',
    `TOKEN=$(curl -s $API/api/auth/login -H 'content-type: application/json' -d '{"username":"${SEED_USER.email}","password":"${SEED_USER.password}"}' | sed -E 's/.*"accessToken":"([^"]+)".*/\\1/')`,
    `TX=$(curl -s $RPC -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"eth_sendTransaction","params":[{"from":"${DONOR}","to":"${token.address}","data":"${encodeAddressAmount(selectors.transfer, campaign.account, DONOR_UNITS)}"}]}' | sed -E 's/.*"result":"(0x[0-9a-f]+)".*/\\1/')`,
    `DONATION=$(curl -s $API/api/donations -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '{"campaignId":"'$CAMPAIGN'","amount":{"value":25,"currency":"${token.symbol}"},"transaction":{"txHash":"'$TX'","ledgerAddress":"${DONOR}"}}' | sed -E 's/.*"donation":\\{"id":"([^"]+)".*/\\1/')`,
    'sleep 7; curl -s $API/api/donations/$DONATION; echo; curl -s $API/api/campaigns/$CAMPAIGN; echo',
    '',
    '# The complete demo, with webhooks and a reorg:  npm run demo',
    '',
  ].join('\n')
}
