import type { DonationProof, Trust, VerificationResult } from '../../../../src/verifier/index.ts'
import { type ChainSync, syncChain } from '../../../../worker/chain/sync-chain.ts'
import { createSealLedgerJob } from '../../../../worker/jobs/seal-ledger.ts'
import { createStoreProofsJob } from '../../../../worker/jobs/store-proofs.ts'
import { address } from '../../../support/chain-facts.ts'
import { createChainSync, servedBy } from '../../../support/chain-sync.ts'
import { newFolder } from '../../../support/new-folder.ts'
import { recordGift } from '../../../support/recorded-gift.ts'
import { type Signed, startTestChain, type TestChain } from '../../../support/test-chain.ts'
import { createTestCampaign } from '../../../support/world.ts'
import { createClockedApi, type TestApi } from '../../http/support/api.ts'

export const ACCOUNT = address('campaign')

/** A campaign on a followed chain, the worker's jobs, and the API over the same database. */
export const createProofWorld = async (
  options: { account?: string; rpc?: string; chain?: TestChain } = {},
) => {
  const account = options.account ?? ACCOUNT
  const chain = options.chain ?? (await startTestChain())
  const { api, clock } = await createClockedApi()
  const creator = await api.signIn()
  const donor = await api.signIn()
  const campaignId = await createTestCampaign(api.ctx, { creator, account, target: '1000000' })
  const sync = createChainSync(api.ctx, servedBy(options.rpc ?? chain.url))
  const follow = () => syncChain(sync, new AbortController().signal)
  await follow()
  const record = async (signed: Signed, value: string, currency = 'USDC'): Promise<string> => {
    const as = api.as({ kind: 'user', userId: donor.userId, roles: [] })
    return recordGift(as, campaignId, signed, value, currency)
  }
  const parts = proofParts(api, sync, chain)
  return {
    chain,
    clock,
    api,
    donor,
    campaignId,
    sync,
    follow,
    record,
    ...parts,
    /** Makes all mined donations final and sealed. */
    finish: async () => {
      await chain.mine(3)
      await follow()
      await parts.seal()
    },
  }
}

/** The jobs that make proofs, and functions that read and verify proofs as a user does. */
export const proofParts = (api: TestApi, sync: ChainSync, chain: TestChain) => {
  const sealing = createSealLedgerJob(api.ctx, newFolder())
  const proving = createStoreProofsJob(sync)
  /**
   * The block hashes of a user's node, and the keys that the service published with the last proof.
   */
  const trust: Trust = {
    headers: async ({ number }) => {
      const block = await chain.call<{ hash: string } | null>('eth_getBlockByNumber', [
        `0x${number.toString(16)}`,
        false,
      ])
      return [{ source: 'my node', hash: block?.hash ?? null }]
    },
  }
  const proofOf = async (donationId: string): Promise<DonationProof> => {
    const { status, text } = await api.ask('GET', `/api/donations/${donationId}/proof`)
    if (status !== 200) throw new Error(text)
    const { body } = await api.ask('GET', '/.well-known/jwks.json')
    trust.keys = body.keys as { x: string }[]
    return JSON.parse(text) as DonationProof
  }
  return { seal: () => sealing.run(), prove: () => proving.run(), proofOf, trust }
}

/** Returns the failed steps of a verification. */
export const failuresOf = (verdict: VerificationResult) =>
  verdict.checks.filter((check) => !check.ok)

export type ProofWorld = Awaited<ReturnType<typeof createProofWorld>>
