import type { ChainError } from '../errors.ts'
import type { Timing } from './timing.ts'

/** What one node said: a value, or why there is none. */
export type Answer<T> = { node: string; value: T } | { node: string; error: ChainError }
export type Told<T> = { node: string; value: T }

/**
 * Looks at what the nodes have said so far. Undefined: not decided yet. `overdue`: those who have not
 * answered are late, so what can be decided without them should be.
 */
export type Decide<T, R> = (told: readonly Told<T>[], overdue: boolean) => R | undefined

export type PollOptions<T, R> = {
  /** In the order in which they are asked. */
  nodes: readonly string[]
  /** How many are asked at once; the others when one of these fails, disagrees or is late. */
  atOnce: number
  ask(node: string): Promise<Answer<T>>
  decide: Decide<T, R>
  /** Compares each answer with the decision, those that come after it included. */
  judge?: (decision: R, told: Told<T>) => void
  /** After this the next nodes are asked too, and after as much again nobody is waited for. */
  graceMs: number
  timing: Timing
  closing: AbortSignal
}

/** Asks several nodes until their answers decide. A slow or hanging node holds up nothing. */
export const poll = <T, R>(
  options: PollOptions<T, R>,
): Promise<{ decision: R | undefined; answers: Answer<T>[] }> =>
  new Promise((resolve, reject) => {
    const waiting = [...options.nodes]
    const answers: Answer<T>[] = []
    const told: Told<T>[] = []
    const over = new AbortController()
    let decided: { decision: R | undefined } | undefined
    let running = 0
    let overdue = false

    const end = (decision: R | undefined) => {
      decided = { decision }
      over.abort()
      if (decision !== undefined) for (const one of told) options.judge?.(decision, one)
      resolve({ decision, answers })
    }
    const settle = () => {
      const last = running === 0 && waiting.length === 0
      const decision = options.decide(told, overdue || last)
      if (decision !== undefined || last) end(decision)
      else if (answers.length >= options.atOnce || running === 0) start(1)
    }
    const heard = (answer: Answer<T>) => {
      running -= 1
      const value = 'error' in answer ? undefined : answer
      if (decided) {
        if (value && decided.decision !== undefined) options.judge?.(decided.decision, value)
        return
      }
      answers.push(answer)
      if (value) told.push(value)
      else if (waiting.length > 0) start(1)
      settle()
    }
    const start = (count: number) => {
      for (const node of waiting.splice(0, count)) {
        running += 1
        options.ask(node).then(heard).catch(reject)
      }
    }
    const { timing, graceMs } = options
    const late = AbortSignal.any([over.signal, options.closing])
    const hurry = async () => {
      while (!late.aborted && !overdue) {
        await timing.sleep(graceMs, late)
        if (late.aborted) return
        if (waiting.length > 0) start(waiting.length)
        else overdue = true
      }
      if (!decided) settle()
    }
    start(options.atOnce)
    if (running === 0) end(undefined)
    else hurry().catch(reject)
  })
