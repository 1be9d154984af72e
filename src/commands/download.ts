import { messageOf } from '../kernel/errors.ts'
import { hideKeysOf } from '../kernel/formats/hide-keys.ts'
import { Unchecked } from './one-node.ts'

const TIMEOUT_MS = 20_000

/** Reads the text at a URL. Throws Unchecked if no answer comes, or one that is no success. */
export const download = async (url: string): Promise<string> => {
  const shown = hideKeysOf(url)(url)
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new Unchecked(`${shown} could not be read: ${messageOf(error)}`)
  })
  if (!response.ok) throw new Unchecked(`${shown} could not be read: HTTP ${response.status}.`)
  return response.text()
}
