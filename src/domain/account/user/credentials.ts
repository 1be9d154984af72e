/** The cryptographic functions for sign-in. The composition root provides them. */
export type Credentials = {
  passwords: {
    hash(password: string): Promise<string>
    /** Whether the password belongs to `hash`. A null `hash` gives false after the same time. */
    verify(hash: string | null, password: string): Promise<boolean>
  }
  /** Returns undefined for a good password, or else the end of a sentence after "The password". */
  refusePassword(password: string, about: { email: string; username: string }): string | undefined
  /** Returns a code of six digits that is derived from the seed and the setting SECRET. */
  codeOf(seed: string): string
  /** `owner` names the account and the email address of the code. Only the first hash is stored. */
  hashCode(owner: string, code: string): [string, string]
  /** Returns a new token with 256 random bits. */
  newSessionToken(): string
  hashSessionToken(token: string): string
}
