import type { ChainError } from '../errors.ts'
import type { Timing } from './timing.ts'

/** A `lateMs` that is longer than any exchange: waits for all nodes, unless a quorum agrees. */
export const LATE_MS = 20_000

/** One node's answer: a value or an error. */
export type Answer<T> = { node: string; value: T } | { node: string; error: ChainError }
export type NodeReply<T> = { node: string; value: T }

/**
 * Decides from the replies that have arrived. Returns undefined if there are too few replies. If
 * `overdue` is true, nodes are late, and the function should decide without their replies.
 */
export type Decide<T, R> = (replies: readonly NodeReply<T>[], overdue: boolean) => R | undefined

type AskAllOptions<T, R> = {
  /** The nodes to ask, in this order. */
  nodes: readonly string[]
  /** The number of nodes to ask at first. Each failure or disagreement adds another node. */
  atOnce: number
  ask(node: string): Promise<Answer<T>>
  decide: Decide<T, R>
  /** Compares each reply with the decision. Also gets replies that arrive after the decision. */
  judge?: (decision: R, replies: NodeReply<T>) => void
  /** After this time, asks all remaining nodes. */
  graceMs: number
  /** After this time without a node left to ask, sets `overdue`. */
  lateMs: number
  timing: Timing
  closing: AbortSignal
}

/** Asks nodes until `decide` returns a decision, or until all nodes have answered. */
export const askAll = <T, R>(
  options: AskAllOptions<T, R>,
): Promise<{ decision: R | undefined; answers: Answer<T>[] }> =>
  new Promise((resolve, reject) => {
    const waiting = [...options.nodes]
    const answers: Answer<T>[] = []
    const replies: NodeReply<T>[] = []
    const over = new AbortController()
    let decided: { decision: R | undefined } | undefined
    let running = 0
    let overdue = false

    const end = (decision: R | undefined) => {
      decided = { decision }
      over.abort()
      if (decision !== undefined) for (const reply of replies) options.judge?.(decision, reply)
      resolve({ decision, answers })
    }
    const tryToDecide = () => {
      const last = running === 0 && waiting.length === 0
      const decision = options.decide(replies, overdue || last)
      if (decision !== undefined || last) end(decision)
      else if (answers.length >= options.atOnce || running === 0) start(1)
    }
    const receive = (answer: Answer<T>) => {
      running -= 1
      const value = 'error' in answer ? undefined : answer
      if (decided) {
        if (value && decided.decision !== undefined) options.judge?.(decided.decision, value)
        return
      }
      answers.push(answer)
      if (value) replies.push(value)
      else if (waiting.length > 0) start(1)
      tryToDecide()
    }
    const start = (count: number) => {
      for (const node of waiting.splice(0, count)) {
        running += 1
        options.ask(node).then(receive).catch(reject)
      }
    }
    const { timing, graceMs, lateMs } = options
    const late = AbortSignal.any([over.signal, options.closing])
    const hurry = async () => {
      if (waiting.length > 0) await timing.sleep(graceMs, late)
      if (!late.aborted) start(waiting.length)
      await timing.sleep(lateMs, late)
      overdue = !late.aborted
      if (overdue) tryToDecide()
    }
    start(options.atOnce)
    if (running === 0) end(undefined)
    else hurry().catch(reject)
  })
