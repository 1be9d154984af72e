/** The cryptographic functions for sign-in. The composition root provides them. */
export type Credentials = {
  passwords: {
    hash(password: string): Promise<string>
    /** Whether the password belongs to `hash`. Null gives false after the same computing time. */
    verify(hash: string | null, password: string): Promise<boolean>
  }
  /** Why a password is refused, as the end of "The password …"; undefined if it is good. */
  refusePassword(password: string, about: { email: string; username: string }): string | undefined
  /** Six digits, derived from the seed and the deployment's SECRET. */
  codeOf(seed: string): string
  /** `owner` is the account and the email address for which the code is valid. */
  hashCode(owner: string, code: string): string
  /** A new token with 256 random bits. */
  newRefreshToken(): string
  hashRefreshToken(token: string): string
}
