import { type Network, slotAt } from '../../verifier/consensus/index.ts'
import { callNode } from '../rpc.ts'
import { createSyncCommittee, type Final, serveBeacon } from './sync-committee.ts'

type Block = { number: string; hash: string; stateRoot: string; timestamp: string }

/** The worker asks eight times in an epoch, so a credit waits at most two seconds for its proof. */
const EPOCH = { secondsPerSlot: 1, slotsPerEpoch: 16 }
/** A period has a day, as on Ethereum. */
const EPOCHS_PER_PERIOD = 86_400 / 16
/** A proof of an unchanged block is signed again at this age, before its feed counts as late. */
const SIGNED_SLOTS = 32
/** The first slots of the chain have no update and no final block. */
const FIRST_SIGNATURE = 3

/**
 * Starts a beacon node for a development chain: its sync committee signs the block that the node of
 * the chain calls final. Network and checkpoint follow from block 1, so a restart keeps them.
 */
export const startDevBeacon = async (nodeUrl: string) => {
  const blockAt = async (at: string) => {
    const block = await callNode<Block>(nodeUrl, 'eth_getBlockByNumber', [at, false])
    return { ...block, number: Number(block.number) }
  }
  const first = await blockAt('0x1')
  const network: Network = {
    ...{ name: 'dev', genesisRoot: first.hash, genesisTime: Number(first.timestamp) },
    ...{ ...EPOCH, epochsPerPeriod: EPOCHS_PER_PERIOD },
    forks: { electra: { epoch: 0, version: '0x05000000' } },
  }
  const committee = createSyncCommittee(network, { block: first, slot: 0 })
  let newest: Final = { block: first, slot: FIRST_SIGNATURE }
  const { url, close } = await serveBeacon(async (asked) => {
    const block = await blockAt('finalized')
    const slot = Math.max(FIRST_SIGNATURE, slotAt(network, Date.now() / 1_000))
    const isSigned = newest.block.hash === block.hash && slot - newest.slot < SIGNED_SLOTS
    if (!isSigned) newest = { block, slot }
    return committee.answer(asked, slot, newest)
  })
  const { name: _, ...beaconNetwork } = network
  return { settings: { beacon: [url], checkpoint: committee.checkpoint, beaconNetwork }, close }
}
