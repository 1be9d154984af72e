import { onTestFinished } from 'vitest'
import type { NamedBlock } from '../../../src/local/beacon/messages.ts'
import {
  createSyncCommittee,
  type Final,
  serveBeacon,
} from '../../../src/local/beacon/sync-committee.ts'
import { periodOf, slotAt } from '../../../src/verifier/consensus/index.ts'
import { TEST_NETWORK } from './test-beacon.ts'

type Chain = { call<T>(method: string, params?: readonly unknown[]): Promise<T> }
type Clock = { now(): Date }
type Answer = { asked: URL; path: string; body: unknown }

/** The settings of a chain whose committee a test beacon has. */
export const TEST_BEACON_NETWORK = (({ name: _, ...settings }) => settings)(TEST_NETWORK)

/**
 * The sync committee of a development chain, which signs only what the test says. Any number of
 * beacon nodes serve what it has signed. Slots follow from the clock; `seed` decides the keys.
 */
export const createTestBeacon = async (
  chain: Chain,
  clock: Clock,
  { network = TEST_NETWORK, seed = 1 } = {},
) => {
  const slotsPerPeriod = network.slotsPerEpoch * network.epochsPerPeriod
  const slot = () => slotAt(network, clock.now().getTime() / 1_000)
  const blockAt = async (number: number): Promise<NamedBlock> => {
    const at = `0x${number.toString(16)}`
    const { hash, stateRoot } = await chain.call<NamedBlock>('eth_getBlockByNumber', [at, false])
    return { number, hash, stateRoot }
  }
  const periodSlot = () => periodOf(network, slot()) * slotsPerPeriod
  const start = { block: await blockAt(0), slot: periodSlot() }
  const committee = createSyncCommittee(network, start, seed)
  let newest: Final = { ...start, slot: start.slot + 3 }
  const answer = (asked: URL) => committee.answer(asked, slot(), newest)
  return {
    checkpoint: committee.checkpoint,
    answer,
    /** The root of the first block of this period, with which others can begin. */
    renew: (): string => committee.begin({ ...newest, slot: periodSlot() }),
    /** Signs that a block is final, now. */
    async finalize(block: number | NamedBlock, present?: number): Promise<void> {
      const named = typeof block === 'number' ? await blockAt(block) : block
      newest = { block: named, slot: slot(), ...(present === undefined ? {} : { present }) }
    },
    /** Starts a beacon node. `change` may change its answers; null is the status 404. */
    async serve(): Promise<{ url: string; change(change: (answer: Answer) => unknown): void }> {
      let change = ({ body }: Answer): unknown => body
      const { url, close } = await serveBeacon((asked) =>
        change({ asked, path: asked.pathname, body: answer(asked) }),
      )
      onTestFinished(close)
      return {
        url,
        change: (next) => {
          change = next
        },
      }
    },
  }
}
