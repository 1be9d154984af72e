import type { Intent } from '../../shared/payment.ts'
import { PAGE_PROBLEMS, type Problem } from '../../shared/payment-machine.ts'

/** The server did not record the intent. `message` is in the language of the visitor. */
export class RefusedError extends Error {
  readonly problem: Problem

  constructor(problem: Problem, message = '') {
    super(message)
    this.problem = problem
  }
}

const PROBLEM_OF: Readonly<Record<number, Problem>> = { 429: 'limited', 451: 'blocked' }

/** Records the intent of a form. @throws RefusedError */
export const recordIntent = async (action: string, form: URLSearchParams): Promise<Intent> => {
  const response = await fetch(action, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: form,
  }).catch(() => undefined)
  if (!response) throw new RefusedError('unreachable')
  // A proxy may answer with a page of its own.
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok && answer) return answer as Intent
  const { problem, text } = (answer ?? {}) as { problem?: string; text?: string }
  const known = PAGE_PROBLEMS.find((one) => one === problem)
  throw new RefusedError(known ?? PROBLEM_OF[response.status] ?? 'unreachable', text)
}

/** Tells the server the hash. The request survives the end of the page. */
export const attachHash = async (id: string, txHash: string): Promise<void> => {
  await fetch(`/d/${id}/hash`, {
    method: 'POST',
    body: new URLSearchParams({ txHash }),
    keepalive: true,
    redirect: 'manual',
    // Without the hash, the payment still settles the intent, because the intent names the wallet.
  }).catch(() => undefined)
}
