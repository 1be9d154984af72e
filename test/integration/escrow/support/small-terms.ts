import { id } from 'ethers'
import { packTerms } from '../../../../src/escrow/terms.ts'
import { keyOf } from '../../../support/test-wallets.ts'
import { TOKEN } from '../../../support/world.ts'

const wallet = (index: number) => keyOf(index).address.toLowerCase()
const LATEST = 2 ** 32 - 1

/** Packed terms with one milestone and one verifier, for tests without a contract. */
export const SMALL_TERMS = packTerms({
  campaign: id('a campaign'),
  ...{ recipient: wallet(7), creator: wallet(7), asset: TOKEN, target: 1n },
  ...{ deadline: LATEST, activateBy: LATEST, expiry: LATEST },
  ...{ quorum: 1, surplusToRecipient: true, verifiers: [wallet(1)] },
  milestones: [{ amount: 1n, required: 1 }],
})
