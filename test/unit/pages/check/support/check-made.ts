import type { BlockSource } from '../../../../../src/pages/shared/check/block-source.ts'
import {
  type CheckOutcome,
  type CheckRequest,
  checkProof,
} from '../../../../../src/pages/shared/check/check-proof.ts'
import { type DonationProof, type Level, verifyProof } from '../../../../../src/verifier/index.ts'
import { type Kind, makeProof } from '../../../verifier/support/made-proof.ts'

/** A wallet that knows one block. */
export const walletOf = (chainId: number, block: DonationProof['block']): BlockSource => ({
  name: 'A wallet',
  async request({ method, params }) {
    if (method === 'eth_chainId') return `0x${chainId.toString(16)}`
    if (method !== 'eth_getBlockByNumber') throw new Error(`A wallet was asked for ${method}.`)
    return params?.[0] === `0x${block.number.toString(16)}` ? { hash: block.hash } : null
  },
})

type Options = {
  kind?: Kind
  accept?: readonly Level[]
  change?: (request: CheckRequest, proof: DonationProof) => Partial<CheckRequest>
}

/**
 * Checks a made proof with a wallet that knows its block. `change` replaces parts of the request.
 */
export const checkMade = async ({
  kind = 'token',
  accept = ['transaction'],
  change = () => ({}),
}: Options = {}): Promise<CheckOutcome> => {
  const { proof, trust } = await makeProof(kind)
  const { id, campaignId, account } = proof.donation
  const request: CheckRequest = {
    proof,
    sources: [walletOf(proof.chainId, proof.block)],
    pasted: null,
    committee: null,
    kept: null,
    siteKeys: trust.keys ?? [],
    accept,
    expected: { id, campaignId, account },
  }
  return checkProof(verifyProof, { ...request, ...change(request, proof) })
}
