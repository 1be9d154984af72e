import { ChainError, type ChainErrorCode } from '../errors.ts'
import type { Answer, NodeReply } from './ask-all.ts'
import type { NodeStatus } from './node-health.ts'

/** The values of the largest group of equal replies; undefined if this group is not a quorum. */
export const agreedOf = <T>(
  replies: readonly NodeReply<T>[],
  keyOf: (value: T) => string,
  quorum: number,
): T[] | undefined => {
  const groups = Map.groupBy(replies, (reply) => keyOf(reply.value))
  const largest = [...groups.values()].sort((a, b) => b.length - a.length)[0]
  return largest && largest.length >= quorum ? largest.map((reply) => reply.value) : undefined
}

/** Errors of an honest node that lacks the block, the method, or the state of an old block. */
const ABSENT: readonly ChainErrorCode[] = ['block_missing', 'rpc_error']

/** Whether the error means that a node lacks the data, so that asking again soon cannot help. */
export const isAbsence = (error: ChainError): boolean => ABSENT.includes(error.code)

/** The missing-data error that at least `quorum` nodes share; undefined if no such error exists. */
const absenceOf = (errors: readonly ChainError[], quorum: number): ChainError | undefined =>
  ABSENT.map((code) => errors.filter((error) => error.code === code))
    .find((same) => same.length >= quorum)
    ?.at(0)

/**
 * Chooses the error to throw: the missing-data error of a quorum, otherwise `too_large`, because
 * fewer calls may succeed, otherwise a temporary error. Other missing-data errors are the last
 * choice, because other nodes may have the data.
 */
export const failureOf = <T>(
  failures: readonly Answer<T>[],
  quorum: number,
): ChainError | undefined => {
  const errors = failures.flatMap((answer) => ('error' in answer ? [answer.error] : []))
  return (
    errors.find((error) => error.code === 'closed') ??
    absenceOf(errors, quorum) ??
    errors.find((error) => error.code === 'too_large') ??
    errors.findLast((error) => error.retryable && error.code !== 'block_missing') ??
    errors.findLast((error) => error.code !== 'wrong_chain') ??
    errors.at(-1)
  )
}

/** Returns the missing-data error of a quorum, or the error of all nodes, or `no_agreement`. */
export const disagreementOf = <T>(
  answers: readonly Answer<T>[],
  nodes: readonly NodeStatus[],
  quorum: number,
  chainId: number,
): ChainError => {
  const errors = answers.flatMap((answer) => ('error' in answer ? [answer.error] : []))
  const [first] = errors
  const closed = errors.find((error) => error.code === 'closed')
  if (closed) return closed
  const absence = absenceOf(errors, quorum)
  if (absence) return absence
  const same = errors.every((error) => error.code === first?.code)
  if (first && same && errors.length === nodes.length) return first
  const said = nodes.map(({ node, state }) => {
    const answer = answers.find((found) => found.node === node)
    if (!answer) return `${node} ${state}`
    return `${node} ${'error' in answer ? answer.error.code : 'answered'}`
  })
  return new ChainError(
    'no_agreement',
    `No ${quorum} of the ${nodes.length} nodes of chain ${chainId} agree: ${said.join(', ')}.`,
  )
}
