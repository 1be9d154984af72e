import type { HeaderAnswer } from '../../../verifier/index.ts'
import { hashIn } from '../typed.ts'

export { COMMITTEE } from '../../../verifier/consensus/source-names.ts'

/** A wallet or a node of the donor: it answers JSON-RPC requests (EIP-1193). */
export type BlockSource = {
  name: string
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

export type BlockAt = { chainId: number; number: number }

/**
 * Why a source has no hash: it is on another chain, has no such block, or did not answer; or what a
 * checkpoint lacks, or why it does not prove the block.
 */
type SourceProblem = 'other_chain' | 'no_block' | 'no_answer' | 'no_updates' | 'not_proven'

/** `why` is the verifier's reason, in English. */
export type SourceAnswer = HeaderAnswer & { problem: SourceProblem | null; why?: string }

/** A wallet may be locked or wait for its user. Then the check goes on without this wallet. */
const TIMEOUT_MS = 8_000

/** Asks a source for the hash of a block. Never throws. */
export const askSource = async (
  source: BlockSource,
  { chainId, number }: BlockAt,
  timeoutMs = TIMEOUT_MS,
): Promise<SourceAnswer> => {
  const without = (problem: SourceProblem) => ({ source: source.name, hash: null, problem })
  try {
    const params = [`0x${number.toString(16)}`, false]
    const id = await within(timeoutMs, source.request({ method: 'eth_chainId' }))
    if (Number(id) !== chainId) return without('other_chain')
    const block = await within(
      timeoutMs,
      source.request({ method: 'eth_getBlockByNumber', params }),
    )
    const hash = hashOf(block)
    return hash === null ? without('no_block') : { source: source.name, hash, problem: null }
  } catch {
    return without('no_answer')
  }
}

/** The name of the donor as a source, for the verifier. The views say it in their language. */
export const DONOR = 'you'

/** The hash of a block that the donor has typed, from an explorer for example. */
export const pastedAnswer = (text: string): SourceAnswer | null => {
  const hash = hashIn(text)
  return hash === undefined ? null : { source: DONOR, hash, problem: null }
}

const hashOf = (block: unknown): string | null => {
  if (typeof block !== 'object' || block === null || !('hash' in block)) return null
  const { hash } = block
  return typeof hash === 'string' ? hash.toLowerCase() : null
}

const within = <T>(timeoutMs: number, answer: Promise<T>): Promise<T> => {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('The source did not answer in time.')), timeoutMs)
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
