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
 * The chain's memory between two starts: `state.json.gz`, the answer of `anvil_dumpState` as it
 * is: accounts, all blocks, transactions and receipts. Measured with Anvil 1.7.1, empty blocks:
 *
 *   blocks    dump    file     load again
 *    5 000    73 ms   0.5 MB    0.1 s
 *   20 000   255 ms   1.8 MB    0.3 s
 *   86 400   834 ms   8.0 MB    1.8 s
 *
 * Anvil's own `--state-interval` writes the same uncompressed (140 MB for 86 400 blocks) at a fixed
 * pace and in place, so that a kill at the wrong moment loses the chain;
 * `--preserve-historical-states` adds 1 to 3 MB a block and answers nothing that we ask.
 */
const FILE = 'state.json.gz'
const UNPACKED = 'state.json'
const DUMP_TIMEOUT_MS = 60_000

/** Asks a node for its state and replaces the file by it, whole or not at all. */
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
 * Unpacks the saved state for `anvil --load-state`; undefined when nothing was saved yet.
 *
 * @throws StartError when the file cannot be read
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
