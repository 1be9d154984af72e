import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Network, periodOf } from '../../verifier/consensus/index.ts'
import type { Update } from '../../verifier/consensus/messages.ts'
import { makeBootstrap, makeCommittee, makeUpdate, type NamedBlock } from './messages.ts'

/** What a committee signs in a slot: that a block is final, and how many sign. */
export type Final = { block: NamedBlock; slot: number; present?: number }

/** The slot of a period, counted from its first one, in which its update is signed. */
const UPDATE_SLOT = 4
/** After this number of periods, the keys of a committee are used again. */
const COMMITTEES = 8

/**
 * The sync committee of a development chain, from the period of the block `start` on. Keys and
 * checkpoint follow from the arguments, so nothing is stored.
 */
export const createSyncCommittee = (network: Network, start: Final, seed = 1) => {
  const first = periodOf(network, start.slot)
  const slotsPerPeriod = network.slotsPerEpoch * network.epochsPerPeriod
  const committeeOf = (period: number) => makeCommittee(seed + ((period - first) % COMMITTEES))
  const bootstrapOf = ({ slot, block }: Final) =>
    makeBootstrap(slot, committeeOf(periodOf(network, slot)), block)
  const begins: ReturnType<typeof makeBootstrap>[] = []
  /** Lets others begin with a block. Returns its checkpoint. */
  const begin = (at: Final): string => {
    const begun = bootstrapOf(at)
    begins.push(begun)
    return begun.checkpoint
  }
  const sign = ({ block, slot, present }: Final): Update =>
    makeUpdate({
      network,
      signers: committeeOf(periodOf(network, slot)),
      current: committeeOf(periodOf(network, slot - 1)),
      next: committeeOf(periodOf(network, slot - 1) + 1),
      final: committeeOf(periodOf(network, slot - 2)),
      slots: { signature: slot, attested: slot - 1, finalized: slot - 2 },
      block,
      ...(present === undefined ? {} : { present }),
    })
  let signed: { newest: Final; data: object } | undefined
  const signOnce = (newest: Final): object => {
    if (signed?.newest === newest) return signed.data
    const { next_sync_committee: _, next_sync_committee_branch: __, ...data } = sign(newest)
    signed = { newest, data }
    return data
  }
  return {
    checkpoint: begin(start),
    begin,
    /** The answer of a beacon node (Beacon APIs) at a slot; null if it has none. */
    answer({ pathname, searchParams }: URL, slot: number, newest: Final): unknown {
      const answerOf = (data: object) => ({ version: 'electra', data })
      if (pathname.endsWith('finality_update')) return answerOf(signOnce(newest))
      if (pathname.endsWith('updates')) {
        const from = Number(searchParams.get('start_period'))
        const last = periodOf(network, slot - UPDATE_SLOT)
        const count = Math.max(0, Math.min(last - from + 1, Number(searchParams.get('count'))))
        // Each update has the newest final block, so later slots have later blocks.
        return Array.from({ length: count }, (_, index) =>
          answerOf(sign({ ...newest, slot: (from + index) * slotsPerPeriod + UPDATE_SLOT })),
        )
      }
      const final = bootstrapOf({ ...newest, slot: newest.slot - 2 })
      const begun = [...begins, final].find(({ checkpoint }) => pathname.endsWith(checkpoint))
      return begun ? answerOf(begun.bootstrap) : null
    },
  }
}

/** Serves the answers of a beacon node on 127.0.0.1. The answer null has the status 404. */
export const serveBeacon = async (answer: (asked: URL) => unknown) => {
  const server = createServer(async ({ url = '' }, response) => {
    // A client that verifies for seconds would find a kept connection closed.
    response.setHeader('connection', 'close')
    try {
      const body = await answer(new URL(url, 'http://beacon'))
      response.statusCode = body === null ? 404 : 200
      response.end(JSON.stringify(body) ?? '<html>')
    } catch {
      response.statusCode = 503
      response.end()
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close(): void {
      server.closeAllConnections()
      server.close()
    },
  }
}
