/**
 * Whether one of the addresses (lower-case) is sanctioned. Reads a chain only if that is
 * configured. Throws DomainError `unavailable` if the chain cannot be read: no address passes
 * unchecked.
 */
export type SanctionScreen = {
  /** False without any sanctions list, so that callers need not collect addresses. */
  readonly active: boolean
  isSanctioned(addresses: readonly string[]): boolean | Promise<boolean>
}

/** For a deployment without any list. */
export const noSanctions: SanctionScreen = { active: false, isSanctioned: () => false }
