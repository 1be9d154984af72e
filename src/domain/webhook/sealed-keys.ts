import type { SecretBox } from '../../kernel/secrets.ts'
import { type Signer, signerOf } from '../../webhooks/index.ts'

/** Columns of an endpoint: its sealed keys and headers. */
export type SealedKeys = {
  secretSealed: string
  previousSecretSealed: string | null
  previousSecretUntil: Date | null
  headersSealed: string | null
}

/**
 * The current signers of an endpoint: its key and, for a day, the previous one. Leaves out keys
 * sealed under another SECRET, so that only deliveries of their endpoints fail.
 */
export const openSigners = (secrets: SecretBox, row: SealedKeys, now: Date): Signer[] => {
  const { previousSecretSealed: previous, previousSecretUntil: until } = row
  const sealed = [row.secretSealed]
  if (previous !== null && until !== null && until > now) sealed.push(previous)
  return sealed.flatMap((sealedKey) => {
    const key = tryToOpen(secrets, sealedKey)
    return key === undefined ? [] : [signerOf(key)]
  })
}

/** Encrypts header names and values unchanged. */
export const sealHeaders = (
  secrets: SecretBox,
  headers: Readonly<Record<string, string>>,
): string | null =>
  Object.keys(headers).length === 0 ? null : secrets.seal(JSON.stringify(headers))

/** Empty if they were sealed under another SECRET. */
export const openHeaders = (secrets: SecretBox, sealed: string | null): Record<string, string> => {
  const opened = sealed === null ? undefined : tryToOpen(secrets, sealed)
  return opened === undefined ? {} : JSON.parse(opened)
}

const tryToOpen = (secrets: SecretBox, sealed: string): string | undefined => {
  try {
    return secrets.open(sealed)
  } catch {
    return undefined
  }
}
