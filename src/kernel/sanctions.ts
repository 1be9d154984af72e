/**
 * Whether any of some addresses (lower-case) is under sanctions. At once where no chain has to be
 * asked. Throws DomainError `unavailable` where one has to be and cannot: nobody is let through
 * unasked.
 */
export type SanctionScreen = {
  /** False where there is no list to look at, so that nobody collects addresses for nothing. */
  readonly active: boolean
  isSanctioned(addresses: readonly string[]): boolean | Promise<boolean>
}

/** For a deployment without any list. */
export const noSanctions: SanctionScreen = { active: false, isSanctioned: () => false }
