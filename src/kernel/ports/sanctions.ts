/**
 * Checks if one of the addresses (lower-case) is sanctioned. Asks a contract only if this is
 * configured. Throws DomainError `unavailable` if its chain cannot be read, so that no address
 * passes unchecked.
 */
export type SanctionScreen = {
  /** False if there is no sanctions list. Then callers need not collect addresses. */
  readonly active: boolean
  isSanctioned(addresses: readonly string[]): boolean | Promise<boolean>
}

/** For a deployment without a sanctions list. */
export const noSanctions: SanctionScreen = { active: false, isSanctioned: () => false }
