import { messageOf } from '../kernel/errors.ts'
import { Unchecked } from './one-node.ts'

const TIMEOUT_MS = 20_000

/** Reads the text at a URL. Throws Unchecked if no answer comes, or one that is no success. */
export const download = async (url: string): Promise<string> => {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new Unchecked(`${url} could not be read: ${messageOf(error)}`)
  })
  if (!response.ok) throw new Unchecked(`${url} could not be read: HTTP ${response.status}.`)
  return response.text()
}
