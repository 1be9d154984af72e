import { createTestBeacon } from '../support/beacon/serve-beacon.ts'
import { TEST_NETWORK, withChangedSignature } from '../support/beacon/test-beacon.ts'
import type { FakeClock } from '../support/fake-clock.ts'
import type { TestChain } from '../support/test-chain.ts'
import type { BeaconFault } from './script.ts'

/** A period has a day, because waits and outages have days. */
const NETWORK = { ...TEST_NETWORK, epochsPerPeriod: 10_800 }
const INVENTED = `0x${'ab'.repeat(32)}`

type Feed = Awaited<ReturnType<Awaited<ReturnType<typeof createTestBeacon>>['serve']>>
export type SimulatedBeacon = Awaited<ReturnType<typeof startBeacon>>

/** The sync committee of the simulated chain, with two beacon nodes. */
export const startBeacon = async (chain: TestChain, clock: FakeClock) => {
  const beacon = await createTestBeacon(chain, clock, { network: NETWORK })
  const stranger = await createTestBeacon(chain, clock, { network: NETWORK, seed: 100 })
  const feeds = [await beacon.serve(), await beacon.serve()] as const
  const { name: _, ...beaconNetwork } = NETWORK
  const finality = () => beacon.answer(new URL('http://beacon/finality_update'))
  const first = finality()
  let signed = 0
  /** Makes a feed answer with this message, although the committee has signed later ones. */
  const show = (feed: Feed, old: unknown) =>
    feed.change(({ path, body }) => (path.endsWith('finality_update') ? old : body))
  const lie: Record<BeaconFault, (feed: Feed) => Promise<void> | void> = {
    'changed-byte': (feed) => feed.change(({ body }) => withChangedSignature(body)),
    async 'other-committee'(feed) {
      const block = { number: await chain.head(), hash: INVENTED, stateRoot: INVENTED }
      await stranger.finalize(block)
      feed.change(({ asked }) => stranger.answer(asked))
    },
    'old-update': (feed) => show(feed, first),
    late: (feed) => show(feed, finality()),
    away: (feed) => feed.change(() => null),
  }
  return {
    settings: {
      ...{ beacon: feeds.map(({ url }) => url), checkpoint: beacon.checkpoint, beaconNetwork },
    },
    /** The newest block that the committee has signed. No reorg removes it. */
    signed: () => signed,
    /** Signs the block that the chain calls final. */
    async sign(): Promise<void> {
      const final = await chain.call<{ number: string }>('eth_getBlockByNumber', [
        'finalized',
        false,
      ])
      signed = Math.max(signed, Number(final.number))
      await beacon.finalize(signed)
    },
    async setFault(feed: number, fault: BeaconFault): Promise<void> {
      await lie[fault](feeds[feed] ?? feeds[0])
    },
    heal(): void {
      for (const feed of feeds) feed.change(({ body }) => body)
    },
  }
}
