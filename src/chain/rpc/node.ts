import { ChainError } from '../errors.ts'
import type { Endpoint } from './endpoint.ts'
import { checkChainId, isRateLimit, isTooLarge, type RpcCall, type RpcReply } from './json-rpc.ts'
import type { Room } from './json-server.ts'
import type { NodeHealth, NodeStatus } from './node-health.ts'
import { createAdaptiveRate } from './rate.ts'
import { jittered, type Timing } from './timing.ts'

/** The numbers of JSON-RPC calls and HTTP requests made, retries included. */
export type RpcStats = { calls: number; requests: number }

/** One node. Obeys the node's rate limit and batch size, and checks the node's chain id. */
export type RpcNode = {
  readonly name: string
  readonly health: NodeHealth
  /**
   * Sends all calls in as few batches as possible. Returns the replies in the order of the calls.
   * If the chain id is unchecked, the first batch also checks it. Throws ChainError unless every
   * call is answered.
   */
  send(calls: readonly RpcCall[]): Promise<RpcReply[]>
  /** Makes the next batch check the chain id again. */
  forgetChain(): void
  /** Whether `send` took more than two seconds within the last minute. */
  isSlow(): boolean
  /** How long the rate limit delays the next request. */
  delayMs(): number
  status(): NodeStatus
  close(): Promise<void>
}

type NodeOptions = {
  name: string
  endpoint: Endpoint
  health: NodeHealth
  chainId: number
  maxResponseBytes: number
  stats: RpcStats
  timing: Timing
  /** The pause before refused calls are sent again. Each further pause doubles, with jitter. */
  backoffMs: number
  closing: AbortSignal
}

const CHAIN_ID_CALL: RpcCall = { method: 'eth_chainId', params: [] }
/** The most batches of one `send` that are in flight at the same time. */
const PARALLEL = 6
/** Enough tries to halve the largest batch down to single calls, and to wait for rate limits. */
const MAX_TRIES = 24
const MAX_REFUSALS = 3
/**
 * If a `send` takes longer than `LONGEST_MS`, it fails, and the caller sends fewer calls. If a
 * request takes longer than `SLOW_MS`, the node counts as slow for `SLOW_FOR_MS`, and other nodes
 * are asked first.
 */
const LONGEST_MS = 60_000
const SLOW_MS = 2_000
const SLOW_FOR_MS = 60_000

/** The calls of one batch, as indexes in the list of all calls. */
type Part = readonly number[]
type Sending = Room & { sentMs: number }

export const createNode = (options: NodeOptions): RpcNode => {
  const { name, endpoint, health, stats, timing, closing } = options
  const rate = createAdaptiveRate(timing)
  const size = createBatchSize()
  let form: 'batch' | 'single' = 'batch'
  let chainChecked = false
  let slowUntilMs = 0

  const exchange = async (calls: readonly RpcCall[], how: 'batch' | 'single', room: Sending) => {
    await rate.acquire(closing)
    stats.requests += 1
    stats.calls += calls.length
    try {
      const replies = await endpoint.exchange(calls, how, room)
      if (replies.some(isRefused)) noteThrottled(calls.length)
      else rate.succeeded()
      return replies
    } catch (error) {
      if (error instanceof ChainError && error.code === 'rate_limited') noteThrottled(calls.length)
      throw error
    } finally {
      if (timing.nowMs() - room.sentMs > SLOW_MS) slowUntilMs = timing.nowMs() + SLOW_FOR_MS
    }
  }
  /** A node that refuses even the slowest rate probably limits calls, so batches get smaller. */
  const noteThrottled = (calls: number) => {
    if (rate.isThrottledAtSlowest()) size.refused(calls)
    rate.throttled()
  }

  /** Sends one batch and fills in `replies`. The caller must send calls without a reply again. */
  const sendPart = async (
    calls: readonly RpcCall[],
    part: Part,
    replies: (RpcReply | undefined)[],
    room: Sending,
  ): Promise<'limited' | undefined> => {
    const some = part.flatMap((index) => calls[index] ?? [])
    const answers = await exchange(some, form, room).catch((error: unknown) => {
      if (form === 'single' || !(error instanceof ChainError)) throw error
      return smaller(some, error, room)
    })
    if (!answers) return
    const tooLarge =
      part.length > 1 && answers.some((reply) => !reply.ok && isTooLarge(reply.error))
    if (tooLarge) size.refused(part.length)
    else if (form === 'batch') size.served(part.length)
    let limited = false
    part.forEach((index, at) => {
      const answer = answers[at]
      if (!answer) return
      if (isRefused(answer)) limited = true
      else if (!(tooLarge && !answer.ok && isTooLarge(answer.error))) replies[index] = answer
    })
    return limited ? 'limited' : undefined
  }

  /** Handles a refused batch: lowers the batch size, or tries the first call alone, or throws. */
  const smaller = async (some: readonly RpcCall[], error: ChainError, room: Sending) => {
    if (room.bytes < 0) throw error
    if (error.code === 'too_large' && some.length > 1) {
      size.refused(some.length)
      return
    }
    if (error.code !== 'no_batches' && error.code !== 'too_large') throw error
    // Uses single calls only if this call succeeds. If it fails, the error has another cause.
    const [first] = some
    if (first === undefined) throw error
    const answers = await exchange([first], 'single', room)
    if (answers[0]?.ok) form = 'single'
    return answers
  }

  const sendAll = async (calls: readonly RpcCall[]): Promise<RpcReply[]> => {
    const replies: (RpcReply | undefined)[] = new Array(calls.length)
    const room = { bytes: options.maxResponseBytes, sentMs: timing.nowMs() }
    let open = calls.map((_, index) => index)
    let refusals = 0
    for (let tries = 1; open.length > 0; tries += 1) {
      if (tries > MAX_TRIES)
        throw new ChainError('rate_limited', `${name} refuses all batch sizes.`)
      const most = form === 'single' ? 1 : Math.min(size.most(), open.length)
      const parts = Array.from({ length: Math.ceil(open.length / most) }, (_, at) =>
        open.slice(at * most, (at + 1) * most),
      )
      let limited = false
      for (let from = 0; from < parts.length; from += PARALLEL) {
        if (timing.nowMs() - room.sentMs > LONGEST_MS)
          throw new ChainError('too_large', `${name} took too long for ${calls.length} calls.`)
        const wave = parts.slice(from, from + PARALLEL)
        const sent = await Promise.all(wave.map((part) => sendPart(calls, part, replies, room)))
        limited ||= sent.includes('limited')
        // Stops here, because the allowed batch size may be smaller now.
        if (limited || (form === 'batch' && size.most() < most)) break
        if (form === 'single' && most > 1) break
      }
      const left = open.filter((index) => replies[index] === undefined)
      if (limited) {
        refusals = left.length < open.length ? 1 : refusals + 1
        if (refusals >= MAX_REFUSALS || left.length === calls.length) {
          throw new ChainError('rate_limited', `${name} limits our rate.`)
        }
        await timing.sleep(jittered(options.backoffMs * 2 ** (refusals - 1), timing), closing)
      }
      open = left
    }
    return replies.flatMap((reply) => reply ?? [])
  }

  return {
    name,
    health,
    async send(calls) {
      if (chainChecked) return sendAll(calls)
      const replies = await sendAll([CHAIN_ID_CALL, ...calls])
      checkChainId(replies[0], options.chainId, name)
      chainChecked = true
      return replies.slice(1)
    },
    forgetChain() {
      chainChecked = false
    },
    isSlow: () => timing.nowMs() < slowUntilMs,
    delayMs: () => rate.delayMs(),
    status: () => health.status(rate.perSecond()),
    close: () => endpoint.close(),
  }
}

const isRefused = (reply: RpcReply): boolean => !reply.ok && isRateLimit(reply.error)

/** After the node served this number of full batches, the limit of calls per batch doubles. */
const FULL_BATCHES_BEFORE_MORE = 100

/** The number of calls that a node takes in one batch: unlimited until the node refuses a batch. */
const createBatchSize = () => {
  let most = Number.POSITIVE_INFINITY
  let full = 0
  return {
    most: (): number => most,
    /** Records that a batch of this size is too large for the node. */
    refused(size: number): void {
      most = Math.max(1, Math.min(most, Math.floor(size / 2)))
      full = 0
    },
    served(size: number): void {
      if (size < most) return
      full += 1
      if (full < FULL_BATCHES_BEFORE_MORE) return
      most *= 2
      full = 0
    },
  }
}
