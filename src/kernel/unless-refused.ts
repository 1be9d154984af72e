import { DomainError, type ErrorCode } from './errors.ts'

/** Returns what some work finds; null if it is refused with one of these codes. */
export const unlessRefused = async <T>(
  work: Promise<T>,
  ...codes: readonly ErrorCode[]
): Promise<T | null> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof DomainError && codes.includes(error.code)) return null
    throw error
  }
}
