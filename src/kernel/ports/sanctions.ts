/**
 * Checks whether one of the addresses (in lower case) is sanctioned, by a configured list or by a
 * configured contract. Throws DomainError `unavailable` if the contract cannot be read, so that no
 * address passes unchecked.
 */
export type SanctionScreen = {
  /** False if neither a list nor a contract is configured. Then no check is needed. */
  readonly active: boolean
  isSanctioned(addresses: readonly string[]): boolean | Promise<boolean>
}

/** For a deployment with neither a list nor a contract: no address is sanctioned. */
export const noSanctions: SanctionScreen = { active: false, isSanctioned: () => false }
