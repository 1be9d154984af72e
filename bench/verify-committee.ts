import { aggregatePublicKeys, PublicKey, Signature, verify } from '@chainsafe/blst'
import { makeBootstrap, makeCommittee, makeUpdate } from '../src/local/beacon/messages.ts'
import { fromHex } from '../src/verifier/bytes.ts'
import { headerRoot } from '../src/verifier/consensus/headers.ts'
import { follow, startAt } from '../src/verifier/consensus/index.ts'
import { forkAt } from '../src/verifier/consensus/networks.ts'
import { signingRoot } from '../src/verifier/consensus/signature.ts'
import { TEST_NETWORK } from '../test/support/beacon/test-beacon.ts'

/** Usually this many of the 512 members of a committee have signed. */
const PRESENT = 500
const BLOCK = { number: 1, hash: `0x${'ab'.repeat(32)}`, stateRoot: `0x${'cd'.repeat(32)}` }

/**
 * A function that verifies an update of the sync committee, and one that lets a native library
 * check its signature with all keys, as a ceiling.
 */
export const prepareCommittee = (): { update: () => void; ceiling: () => void } => {
  const [first, second] = [makeCommittee(1), makeCommittee(2)]
  const { bootstrap, checkpoint } = makeBootstrap(4, first, BLOCK)
  const store = startAt(TEST_NETWORK, bootstrap, checkpoint)
  const update = makeUpdate({
    network: TEST_NETWORK,
    ...{ signers: first, current: first, next: second, present: PRESENT },
    slots: { signature: 12, attested: 11, finalized: 10 },
    block: { ...BLOCK, number: 2 },
  })
  const { version } = forkAt(TEST_NETWORK, 11)
  const root = signingRoot(headerRoot(update.attested_header.beacon), TEST_NETWORK, version)
  const signature = fromHex(update.sync_aggregate.sync_committee_signature)
  const keys = first.committee.pubkeys.slice(0, PRESENT).map(fromHex)
  return {
    update: () => follow(TEST_NETWORK, store, update, 12),
    ceiling() {
      const points = keys.map((key) => PublicKey.fromBytes(key))
      const isValid = verify(
        root,
        aggregatePublicKeys(points),
        Signature.fromBytes(signature, true, true),
      )
      if (!isValid) throw new Error('blst refuses the signature of the benchmark.')
    },
  }
}
