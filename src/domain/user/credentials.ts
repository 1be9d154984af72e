/** The cryptography of signing in, given by the composition root. */
export type Credentials = {
  passwords: {
    hash(password: string): Promise<string>
    /** Whether the password is the one behind `hash`; with null, false after the same work. */
    verify(hash: string | null, password: string): Promise<boolean>
  }
  /** Why a password may not be used, as the rest of a sentence; undefined for one that may. */
  refusePassword(password: string, about: { email: string; username: string }): string | undefined
  /** Six digits that only follow from this seed with the deployment's SECRET. */
  codeOf(seed: string): string
  /** `owner`: what the code is good for. */
  hashCode(owner: string, code: string): string
  /** 256 random bits. */
  newRefreshToken(): string
  hashRefreshToken(token: string): string
}
