import {
  type ChainClient,
  createChainClient,
  createStateReader,
  type StateReader,
} from '../../../src/chain/index.ts'
import { createNodePool, type NodePool } from '../../../src/chain/rpc/pool.ts'
import { ChainConfig } from '../../../src/config/config.ts'
import { createLog } from '../../../src/kernel/ports/log.ts'
import { type Metrics, noMetrics } from '../../../src/kernel/ports/metrics.ts'
import type { Lie } from './lies.ts'
import type { NodeServer, ThreeNodes } from './nodes.ts'

/** A question to a chain with three nodes, of which the first may lie. */
export type Question = {
  name: string
  /** The calls that all three nodes refuse. Default: none. */
  refuses?: (call: string) => boolean
  /** The calls whose answers may be lies. Default: all except the chain id. */
  about?: (call: string) => boolean
  /** The code of the error that the question has also with honest nodes. Default: no error. */
  fails?: string
  ask(to: Asked): Promise<unknown>
}

/** The objects of `src/chain` that ask nodes. They are created again for each question. */
export type Asked = { client: ChainClient; reader(): StateReader; pool(): NodePool }

export type Heard = Pick<ThreeNodes, 'met' | 'asked'> & {
  /** The answer, or undefined if there is an error. */
  result: unknown
  /** The code of the error. */
  failed: string | undefined
  /** The nodes that were marked as faulty. */
  named: ReadonlySet<'the liar' | 'an honest node'>
}

export const CHAIN_ID = 31_337
export const log = createLog('silent', 'test')

/** No answer may depend on a timeout, so timeouts are longer than any test. */
const NEVER_MS = 60_000
/** The time for marking the liar, which can happen a little after the answer. */
const NAMED_WITHIN_MS = 5_000

export const askThrough = async (
  server: NodeServer,
  question: Question,
  lie?: Lie,
): Promise<Heard> => {
  const nodes = server.open(lie, question.refuses)
  const named = new Set<'the liar' | 'an honest node'>()
  const { promise: someNamed, resolve: onNamed } = Promise.withResolvers<void>()
  const metrics: Metrics = {
    ...noMetrics,
    gauge(name, labels, value) {
      if (name !== 'fundproof_node_up' || value !== 0 || !('node' in labels)) return
      // The three nodes have the same host, so the names of the second and third node get a number.
      named.add(String(labels.node).includes('#') ? 'an honest node' : 'the liar')
      onNamed()
    },
  }
  const { asked, close } = open(nodes.urls, metrics)
  const heard = await question.ask(asked).then(
    (result) => ({ result, failed: undefined }),
    (error: unknown) => ({ result: undefined, failed: codeIn(error) }),
  )
  if (lie?.named === 'must' && named.size === 0) {
    const late = AbortSignal.timeout(NAMED_WITHIN_MS)
    await Promise.race([
      someNamed,
      new Promise((resolve) => late.addEventListener('abort', resolve)),
    ])
  }
  await close()
  nodes.forget()
  return { ...heard, named, met: nodes.met, asked: nodes.asked }
}

const open = (urls: string[], metrics: Metrics) => {
  const chain = ChainConfig.parse({ id: CHAIN_ID, name: 'test', rpc: urls })
  const common = { log, metrics, backoffMs: 1, graceMs: NEVER_MS, timeoutMs: NEVER_MS }
  const client = createChainClient({ ...common, chain })
  const opened: { close(): Promise<void> }[] = [client]
  const opening = <T extends { close(): Promise<void> }>(one: T): T => {
    opened.push(one)
    return one
  }
  const limits = { chainId: CHAIN_ID, maxResponseBytes: 1 << 20 }
  const asked: Asked = {
    client,
    reader: () => opening(createStateReader({ chain, log, metrics })),
    pool: () => opening(createNodePool({ ...common, ...limits, urls })),
  }
  return {
    asked,
    close: async () => {
      await Promise.all(opened.map((one) => one.close()))
    },
  }
}

const codeIn = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)
