import { violatedUnique } from '../../db/errors.ts'
import { DomainError } from '../../kernel/errors.ts'

/** The refusal where a write ran into the address or the user name of another account. */
export const takenBy = (error: unknown): DomainError | undefined => {
  switch (violatedUnique(error)) {
    case 'app_user_email':
      return new DomainError('email_taken', 'This email address is already registered.')
    case 'app_user_username':
      return new DomainError('username_taken', 'This user name is taken.')
    default:
      return undefined
  }
}
