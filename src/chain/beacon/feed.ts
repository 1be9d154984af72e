import { Refusal } from '../../verifier/bytes.ts'
import {
  type Bootstrap,
  type FinalityUpdate,
  readBootstrap,
  readFinalityUpdate,
  readUpdate,
  readVersioned,
  type Update,
} from '../../verifier/consensus/index.ts'
import { ChainError } from '../errors.ts'
import { createJsonServer } from '../rpc/json-server.ts'

/** Servers answer with at most this number of updates (Beacon APIs). */
const UPDATES_AT_ONCE = 64
/** More than a message with a committee has. */
const MESSAGE_BYTES = 128 * 1024
const TIMEOUT_MS = 20_000

/**
 * A beacon node, which is not trusted: `/eth/v1/beacon/light_client/…` (Beacon APIs). Its functions
 * throw ChainError if it is away, and Refusal for an answer of another form.
 */
export type BeaconFeed = {
  /** The host of the URL. */
  name: string
  bootstrap(root: string): Promise<Bootstrap>
  /** The updates of at most `count` periods from `period` on. */
  updates(period: number, count: number): Promise<Update[]>
  finalityUpdate(): Promise<FinalityUpdate>
  close(): Promise<void>
}

export const createBeaconFeed = (url: string): BeaconFeed => {
  const server = createJsonServer(url, TIMEOUT_MS)
  const ask = async (what: string, query = {}, messages = 1): Promise<unknown> => {
    const path = `/eth/v1/beacon/light_client/${what}`
    const text = await server.ask({ path, query, limit: messages * MESSAGE_BYTES })
    try {
      // Hex digits may be upper-case.
      return JSON.parse(text.toLowerCase()) as unknown
    } catch {
      throw new ChainError('bad_response', `${server.name} answered no JSON.`)
    }
  }
  return {
    name: server.name,
    async bootstrap(root) {
      return readVersioned(await ask(`bootstrap/${root}`), readBootstrap, 'The bootstrap')
    },
    async updates(period, most) {
      const count = Math.min(most, UPDATES_AT_ONCE)
      const list = await ask('updates', { start_period: period, count }, count)
      if (!Array.isArray(list) || list.length > count) {
        throw new Refusal('The beacon node sent no list of updates, or a longer one.')
      }
      return list.map((update) => readVersioned(update, readUpdate, 'An update'))
    },
    async finalityUpdate() {
      return readVersioned(await ask('finality_update'), readFinalityUpdate, 'The update')
    },
    close: () => server.close(),
  }
}
