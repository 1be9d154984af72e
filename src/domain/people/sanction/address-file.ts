import { readFileSync, statSync, unwatchFile, watchFile } from 'node:fs'
import { messageOf, StartError } from '../../../kernel/errors.ts'
import { parseAddress } from '../../../kernel/formats/address.ts'
import type { Log } from '../../../kernel/ports/log.ts'

/** A list of addresses in a file. Each line has one address, and `#` begins a comment. */
export type AddressFile = { has(address: string): boolean; close(): void }

const CHECK_EVERY_MS = 2_000
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Reads the list, and reads it again after each change. Waits for two seconds without a change
 * first, because the file may be half-written. If the new file is invalid, logs an error and keeps
 * the last valid list.
 *
 * @throws StartError if the file cannot be read at first, or if a line of it is not an address
 */
export const openAddressFile = (
  path: string,
  log: Log,
  checkEveryMs = CHECK_EVERY_MS,
): AddressFile => {
  let addresses = read(path)
  const reload = (): void => {
    try {
      addresses = read(path)
      log.info({ addresses: addresses.size }, 'the sanctions list was read again')
    } catch (error) {
      log.error({ reason: messageOf(error) }, 'the sanctions list has changed and cannot be read')
    }
  }
  let waiting: NodeJS.Timeout | undefined
  const changed = (): void => {
    clearTimeout(waiting)
    waiting = setTimeout(reload, checkEveryMs).unref()
  }
  watchFile(path, { interval: checkEveryMs, persistent: false }, changed)
  return {
    has: (address) => addresses.has(address),
    close: () => {
      unwatchFile(path, changed)
      clearTimeout(waiting)
    },
  }
}

const read = (path: string): ReadonlySet<string> => {
  const lines = contentOf(path).split(/\r?\n/)
  return new Set(
    lines.flatMap((line, index) => {
      const text = line.replace(/#.*/, '').trim()
      if (text === '') return []
      try {
        return [parseAddress(text)]
      } catch {
        throw new StartError(`Wrong setting: SANCTIONS_FILE line ${index + 1} is not an address.`)
      }
    }),
  )
}

const contentOf = (path: string): string => {
  try {
    if (statSync(path).size > MAX_BYTES) throw new Error('it is too large')
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartError(`Wrong setting: SANCTIONS_FILE cannot be read: ${messageOf(error)}.`)
  }
}
