import { ChainError } from '../errors.ts'
import type { NodeStatus } from './node-health.ts'
import type { Answer, Told } from './poll.ts'

/** The values of the largest group that says the same, if it is large enough. */
export const agreedOf = <T>(
  told: readonly Told<T>[],
  keyOf: (value: T) => string,
  quorum: number,
): T[] | undefined => {
  const groups = Map.groupBy(told, (one) => keyOf(one.value))
  const largest = [...groups.values()].sort((a, b) => b.length - a.length)[0]
  return largest && largest.length >= quorum ? largest.map((one) => one.value) : undefined
}

/** What to tell of several failures: rather one that may pass, and rather a failure than an absence. */
export const failureOf = <T>(failures: readonly Answer<T>[]): ChainError | undefined => {
  const errors = failures.flatMap((one) => ('error' in one ? [one.error] : []))
  return (
    errors.find((error) => error.code === 'closed') ??
    errors.findLast((error) => error.retryable && error.code !== 'block_missing') ??
    errors.findLast((error) => error.code !== 'wrong_chain') ??
    errors.at(-1)
  )
}

/** The one thing that went wrong with every node, or that they do not agree. */
export const disagreementOf = <T>(
  answers: readonly Answer<T>[],
  nodes: readonly NodeStatus[],
  quorum: number,
  chainId: number,
): ChainError => {
  const errors = answers.flatMap((one) => ('error' in one ? [one.error] : []))
  const [first] = errors
  const closed = errors.find((error) => error.code === 'closed')
  if (closed) return closed
  const same = errors.every((error) => error.code === first?.code)
  if (first && same && errors.length === nodes.length) return first
  const said = nodes.map(({ node, state }) => {
    const answer = answers.find((one) => one.node === node)
    if (!answer) return `${node} ${state}`
    return `${node} ${'error' in answer ? answer.error.code : 'answered'}`
  })
  return new ChainError(
    'no_agreement',
    `No ${quorum} of the ${nodes.length} nodes of chain ${chainId} agree: ${said.join(', ')}.`,
  )
}
