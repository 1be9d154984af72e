import { createJsonServer } from '../chain/index.ts'
import { messageOf } from '../kernel/errors.ts'
import { Unchecked } from './one-node.ts'

const TIMEOUT_MS = 20_000
/** More than the longest list of a committee's updates has. */
const MAX_BYTES = 8 * 1024 * 1024

/** Reads the text at a URL. Throws Unchecked if no answer comes, or one that is no success. */
export const download = async (url: string): Promise<string> => {
  const server = createJsonServer(url, TIMEOUT_MS)
  try {
    return await server.ask({ limit: MAX_BYTES })
  } catch (error) {
    throw new Unchecked(messageOf(error))
  } finally {
    await server.close()
  }
}
