import { ChainError } from '../errors.ts'
import { createBatchSize } from './batch-size.ts'
import type { Endpoint } from './endpoint.ts'
import { checkChainId, isRateLimit, isTooLarge, type RpcCall, type RpcReply } from './json-rpc.ts'
import type { NodeHealth, NodeStatus } from './node-health.ts'
import { createAdaptiveRate } from './rate.ts'
import { jittered, type Timing } from './timing.ts'

/** JSON-RPC calls and HTTP requests made, retries included. */
export type RpcStats = { calls: number; requests: number }

/** One node, asked as it wants to be: no faster, in no larger batches, and never off its chain. */
export type RpcNode = {
  readonly name: string
  readonly health: NodeHealth
  /**
   * All calls, in as few batches as the node takes, with its chain id in the first one where that is
   * not known. Replies in the order of the calls. Throws ChainError for anything but a reply to each.
   */
  send(calls: readonly RpcCall[]): Promise<RpcReply[]>
  /** The chain id is asked for again, in the next batch. */
  forgetChain(): void
  /** How long the next request has to wait for its turn, in ms. */
  delayMs(): number
  status(): NodeStatus
  close(): Promise<void>
}

export type NodeOptions = {
  name: string
  endpoint: Endpoint
  health: NodeHealth
  chainId: number
  stats: RpcStats
  timing: Timing
  /** The first wait before refused calls of a batch are repeated; it doubles, with jitter. */
  backoffMs: number
  closing: AbortSignal
}

const CHAIN_ID_CALL: RpcCall = { method: 'eth_chainId', params: [] }
/** Batches of one question that are under way at once, where the node takes only small ones. */
const PARALLEL = 6
/** Enough to halve the largest batch down to single calls, with room for refusals of the rate. */
const MAX_TRIES = 24
const MAX_REFUSALS = 3

/** A part of the calls: its indexes among all. */
type Part = readonly number[]

export const createNode = (options: NodeOptions): RpcNode => {
  const { name, endpoint, health, stats, timing, closing } = options
  const rate = createAdaptiveRate(timing)
  const size = createBatchSize()
  let form: 'batch' | 'single' = 'batch'
  let chainChecked = false

  const exchange = async (calls: readonly RpcCall[], how: 'batch' | 'single') => {
    await rate.acquire(closing)
    stats.requests += 1
    stats.calls += calls.length
    try {
      const replies = await endpoint.exchange(calls, how)
      if (replies.some(isRefused)) complain(calls.length)
      else rate.succeeded()
      return replies
    } catch (error) {
      if (error instanceof ChainError && error.code === 'rate_limited') complain(calls.length)
      throw error
    }
  }
  /** A node that minds even the slowest rate counts calls, not requests. */
  const complain = (calls: number) => {
    if (rate.isInVain()) size.refused(calls)
    rate.complained()
  }

  /** Sends one part. Leaves those out that have to be sent again, in smaller batches or later. */
  const sendPart = async (
    calls: readonly RpcCall[],
    part: Part,
    replies: (RpcReply | undefined)[],
  ): Promise<'limited' | undefined> => {
    const some = part.flatMap((index) => calls[index] ?? [])
    const answers = await exchange(some, form).catch((error: unknown) => {
      if (form === 'single' || !(error instanceof ChainError)) throw error
      return smaller(some, error)
    })
    if (!answers) return
    const tooLarge = part.length > 1 && answers.some((one) => !one.ok && isTooLarge(one.error))
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

  /** After a batch was refused: the way to ask the same, or the error again. */
  const smaller = async (some: readonly RpcCall[], error: ChainError) => {
    if (error.code === 'too_large' && some.length > 1) {
      size.refused(some.length)
      return
    }
    if (error.code !== 'no_batches' && error.code !== 'too_large') throw error
    // Believed once it has worked: the error may have been about something else.
    const [first] = some
    if (first === undefined) throw error
    const answers = await exchange([first], 'single')
    if (answers[0]?.ok) form = 'single'
    return answers
  }

  const sendAll = async (calls: readonly RpcCall[]): Promise<RpcReply[]> => {
    const replies: (RpcReply | undefined)[] = new Array(calls.length)
    let open = calls.map((_, index) => index)
    let refusals = 0
    for (let tries = 1; open.length > 0; tries += 1) {
      if (tries > MAX_TRIES) throw new ChainError('rate_limited', `${name} refuses our batches.`)
      const most = form === 'single' ? 1 : Math.min(size.most(), open.length)
      const parts = Array.from({ length: Math.ceil(open.length / most) }, (_, at) =>
        open.slice(at * most, (at + 1) * most),
      )
      let limited = false
      for (let from = 0; from < parts.length; from += PARALLEL) {
        const wave = parts.slice(from, from + PARALLEL)
        const sent = await Promise.all(wave.map((part) => sendPart(calls, part, replies)))
        limited ||= sent.includes('limited')
        // The rest of a batch that was refused is cut anew.
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
    delayMs: () => rate.delayMs(),
    status: () => health.status(rate.perSecond()),
    close: () => endpoint.close(),
  }
}

const isRefused = (reply: RpcReply): boolean => !reply.ok && isRateLimit(reply.error)
