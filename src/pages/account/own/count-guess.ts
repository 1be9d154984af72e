import { guessOf } from '../../../edge/request/account-secret.ts'
import type { UserVisit } from '../../session/page-session.ts'

type Guess = { password?: string | undefined; code?: string | undefined }

/** Runs `work`, and counts it as an attempt if the person has typed a password or a code. */
export const countGuess = async <T>(
  { ctx, limits }: UserVisit,
  guess: Guess,
  work: () => Promise<T>,
): Promise<T> => {
  const attempt = await guessOf(ctx, guess)
  return attempt ? limits.countAttempt(attempt, work) : work()
}
