/**
 * Checks if one of the addresses (lower-case) is sanctioned. Also asks a contract that lists
 * sanctioned addresses, if one is configured. Throws DomainError `unavailable` if the contract's
 * chain cannot be read, so that no address passes unchecked.
 */
export type SanctionScreen = {
  /** False if neither a list nor a contract is configured. Then no check is needed. */
  readonly active: boolean
  isSanctioned(addresses: readonly string[]): boolean | Promise<boolean>
}

/** For a deployment without a sanctions list. */
export const noSanctions: SanctionScreen = { active: false, isSanctioned: () => false }
