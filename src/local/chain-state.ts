import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { messageOf, StartError } from '../kernel/errors.ts'
import { callNodeForText } from './rpc.ts'

/**
 * The chain's file between two starts: `state.json.gz`, the unchanged result of `anvil_dumpState`
 * with accounts, blocks, transactions and receipts. Measured with Anvil 1.7.1, empty blocks:
 *
 *   blocks    dump    file     load again
 *    5 000    73 ms   0.5 MB    0.1 s
 *   20 000   255 ms   1.8 MB    0.3 s
 *   86 400   834 ms   8.0 MB    1.8 s
 *
 * Anvil's own `--state-interval` writes uncompressed and in place, so a kill may destroy the file.
 */
const FILE = 'state.json.gz'
const UNPACKED = 'state.json'
const DUMP_TIMEOUT_MS = 60_000

/** Reads a node's state and replaces the file atomically. */
export const saveChain = async (
  folder: string,
  url: string,
  timeoutMs: number = DUMP_TIMEOUT_MS,
): Promise<void> => {
  const dump = await callNodeForText(url, 'anvil_dumpState', [], timeoutMs)
  const draft = join(folder, `${FILE}.new`)
  const file = openSync(draft, 'w', 0o600)
  try {
    writeFileSync(file, Buffer.from(dump.slice(2), 'hex'))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(draft, join(folder, FILE))
}

/**
 * Unpacks the saved state for `anvil --load-state`; undefined if there is none.
 *
 * @throws StartError if the file cannot be read
 */
export const unpackChain = (folder: string): { path: string; remove(): void } | undefined => {
  const packed = join(folder, FILE)
  if (!existsSync(packed)) return undefined
  const path = join(folder, UNPACKED)
  try {
    writeFileSync(path, gunzipSync(readFileSync(packed)), { mode: 0o600 })
  } catch (error) {
    rmSync(path, { force: true })
    throw new StartError(
      `The development chain cannot be read back (${messageOf(error)}): ` +
        `delete ${packed} to begin a new one.`,
    )
  }
  return { path, remove: () => rmSync(path, { force: true }) }
}
