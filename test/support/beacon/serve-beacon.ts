import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { periodOf, slotAt } from '../../../src/verifier/consensus/index.ts'
import type { Update } from '../../../src/verifier/consensus/messages.ts'
import {
  makeBootstrap,
  makeCommittee,
  makeUpdate,
  PERIOD_SLOTS,
  TEST_NETWORK,
  type TestBlock,
} from './test-beacon.ts'

type Chain = { call<T>(method: string, params?: readonly unknown[]): Promise<T> }
type Clock = { now(): Date }
/** What the committee has signed last: a final block, and how many have signed. */
type Final = { block: TestBlock; slot: number; present?: number }
type Answer = { path: string; body: unknown }

/** The settings of a chain whose committee a test beacon has. */
export const TEST_BEACON_NETWORK = (({ name: _, ...settings }) => settings)(TEST_NETWORK)

/**
 * The sync committee of a development chain: it signs which block is final. Any number of beacon
 * nodes serve what it has signed. Slots follow from the clock; `seed` decides the keys.
 */
export const createTestBeacon = async (chain: Chain, clock: Clock, seed = 1) => {
  const slot = () => slotAt(TEST_NETWORK, clock.now().getTime() / 1_000)
  const blockAt = async (number: number): Promise<TestBlock> => {
    const at = `0x${number.toString(16)}`
    const { hash, stateRoot } = await chain.call<TestBlock>('eth_getBlockByNumber', [at, false])
    return { number, hash, stateRoot }
  }
  const first = periodOf(TEST_NETWORK, slot())
  const committeeOf = (period: number) => makeCommittee(seed + period - first)
  const sign = ({ block, slot: last, present }: Final): Update =>
    makeUpdate({
      signers: committeeOf(periodOf(TEST_NETWORK, last)),
      current: committeeOf(periodOf(TEST_NETWORK, last - 1)),
      next: committeeOf(periodOf(TEST_NETWORK, last - 1) + 1),
      slots: { signature: last, attested: last - 1, finalized: last - 2 },
      block,
      ...(present === undefined ? {} : { present }),
    })
  const start = await blockAt(0)
  const begins = [makeBootstrap(first * PERIOD_SLOTS, committeeOf(first), start)]
  let newest: Final = { block: start, slot: first * PERIOD_SLOTS + 3 }
  /** The update of a period names the newest final block, so that later slots have later blocks. */
  const updateOf = (period: number) => sign({ ...newest, slot: period * PERIOD_SLOTS + 4 })
  const answerTo = (url: URL): unknown => {
    if (url.pathname.endsWith('finality_update')) {
      const { next_sync_committee: _, next_sync_committee_branch: __, ...data } = sign(newest)
      return { version: 'electra', data }
    }
    if (url.pathname.endsWith('updates')) {
      const from = Number(url.searchParams.get('start_period'))
      const last = periodOf(TEST_NETWORK, slot() - 4)
      const count = Math.max(0, Math.min(last - from + 1, Number(url.searchParams.get('count'))))
      return Array.from({ length: count }, (_, index) => ({
        version: 'electra',
        data: updateOf(from + index),
      }))
    }
    const begun = begins.find(({ checkpoint }) => url.pathname.endsWith(checkpoint))
    return begun ? { version: 'electra', data: begun.bootstrap } : null
  }
  return {
    checkpoint: begins[0]?.checkpoint ?? '',
    /** The root of the first block of this period, with which others can begin. */
    renew(): string {
      const period = periodOf(TEST_NETWORK, slot())
      const begun = makeBootstrap(period * PERIOD_SLOTS, committeeOf(period), newest.block)
      begins.push(begun)
      return begun.checkpoint
    },
    /** Signs that a block is final, now. */
    async finalize(block: number | TestBlock, present?: number): Promise<void> {
      const named = typeof block === 'number' ? await blockAt(block) : block
      newest = { block: named, slot: slot(), ...(present === undefined ? {} : { present }) }
    },
    /** Starts a beacon node. `change` may change its answers; null is the status 404. */
    async serve(): Promise<{ url: string; change(change: (answer: Answer) => unknown): void }> {
      let change = ({ body }: Answer): unknown => body
      const server = createServer(({ url = '' }, response) => {
        const asked = new URL(url, 'http://beacon')
        const body = change({ path: asked.pathname, body: answerTo(asked) })
        // A client that verifies for seconds would find a kept connection closed.
        response.setHeader('connection', 'close')
        response.statusCode = body === null ? 404 : 200
        response.end(JSON.stringify(body) ?? '<html>')
      })
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
      onTestFinished(() => {
        server.closeAllConnections()
        server.close()
      })
      return {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        change: (next) => {
          change = next
        },
      }
    },
  }
}
