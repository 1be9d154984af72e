import type { EscrowTerms } from '../../../escrow/terms.ts'
import { DomainError } from '../../../kernel/errors.ts'

type Broken = { path: string; message: string }

/**
 * The fields and messages for the contract's rules, by number. Terms that this service makes can
 * break no other rule.
 */
const RULES: Readonly<Record<number, (terms: EscrowTerms) => Broken>> = {
  3: () => ({ path: 'escrow.recipient', message: 'must not be the token' }),
  5: () => ({ path: 'escrow.deadline', message: 'must be after 1970' }),
  6: () => ({ path: 'escrow.activateBy', message: 'must not be before the deadline' }),
  7: () => ({ path: 'escrow.expiry', message: 'must not be before activateBy' }),
  9: () => ({ path: 'escrow.verifiers', message: 'must have 1 to 16 addresses' }),
  10: () => ({ path: 'escrow.verifiers', message: 'must be different and not zero' }),
  11: ({ verifiers }) => ({
    path: 'escrow.quorum',
    message: `must be more than half of the ${verifiers.length} verifiers, and at most all`,
  }),
  12: () => ({ path: 'milestones', message: 'must be 1 to 32, because the escrow pays by them' }),
  15: () => ({ path: 'milestones', message: 'must have the target as their sum' }),
  14: ({ verifiers, milestones }) => ({
    path: 'escrow.verifiers',
    message: `must have at least ${Math.max(...milestones.map(({ required }) => required))} addresses to sign a milestone, and has ${verifiers.length}`,
  }),
}

/** The error for the first rule of the contract that the terms break. */
export const ruleOf = (rule: number, terms: EscrowTerms): DomainError => {
  const broken = RULES[rule]?.(terms)
  return broken
    ? refuseTerms(broken.path, broken.message)
    : new DomainError(
        'invalid_terms',
        `The escrow contract would refuse these terms: rule ${rule}.`,
      )
}

/** The error for a field of the terms. `message` follows the name of the field in a sentence. */
export const refuseTerms = (path: string, message: string): DomainError => {
  const field = path.replace(/^escrow\./, '')
  return new DomainError(
    'invalid_terms',
    `The terms of the escrow are wrong: ${field} ${message}.`,
    [{ path, message }],
  )
}
