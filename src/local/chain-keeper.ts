import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, StartError } from '../kernel/errors.ts'
import type { Log } from '../kernel/ports/log.ts'
import { callNode } from './rpc.ts'

/**
 * The file that keeps the chain between two starts: the unchanged result of `anvil_dumpState` with
 * accounts, blocks, transactions and receipts. Measured with Anvil 1.7.1, empty blocks:
 *
 *   blocks    dump    file     load again
 *    5 000    73 ms   0.5 MB    0.1 s
 *   20 000   255 ms   1.8 MB    0.3 s
 *   86 400   834 ms   8.0 MB    1.8 s
 *
 * Anvil's own `--state-interval` is not used, because a kill during a save may destroy the file.
 */
const FILE = 'state.json.gz'
const SAVE_TIMEOUT_MS = 10_000
const LOAD_TIMEOUT_MS = 60_000
const TICK_MS = 500
const MIN_SAVE_PAUSE_MS = 2_000
/** The pause after a save is at least 20 times as long as this save took. */
const SAVE_PAUSE_FACTOR = 20
const BLOCK_TIME_S = 1
/** Anvil needs 8 kB of memory per block: 680 MB a day at 1 s per block, 45 MB at 15 s per block. */
const IDLE_BLOCK_TIME_S = 15
const MAX_LAG_S = 3

type Head = { hash: string; timestamp: string; transactions: string[] }

/** Saves the chain of a node. Replaces the file of the last save atomically. */
export const saveChain = async (folder: string, url: string): Promise<void> => {
  const dump = await callNode<string>(url, 'anvil_dumpState', [], SAVE_TIMEOUT_MS)
  const draft = join(folder, `${FILE}.new`)
  writeFileSync(draft, Buffer.from(dump.slice(2), 'hex'), { flush: true })
  renameSync(draft, join(folder, FILE))
}

/** Saves the chain before its node ends. If the save fails, logs a warning and does not throw. */
export const saveAtEnd = (folder: string, url: string, log: Log): Promise<void> =>
  saveChain(folder, url).catch((error: unknown) => {
    log.warn(`The development chain could not be saved: ${messageOf(error)}.`)
  })

/**
 * Loads the saved chain, if there is a file, into a new node.
 *
 * @throws StartError if the node cannot read the file
 */
export const loadChain = async (folder: string, url: string): Promise<void> => {
  const file = join(folder, FILE)
  if (!existsSync(file)) return
  const dump = `0x${readFileSync(file).toString('hex')}`
  await callNode(url, 'anvil_loadState', [dump], LOAD_TIMEOUT_MS).catch((error: unknown) => {
    throw new StartError(
      `The development chain cannot be read back (${messageOf(error)}): ` +
        `delete ${file} to begin a new chain.`,
    )
  })
  // A new node has the real time, also if calls had set the clock of the chain ahead.
  const { timestamp } = await callNode<Head>(url, 'eth_getBlockByNumber', ['latest', false])
  const seconds = Number(timestamp)
  if (seconds > Date.now() / 1000) await callNode(url, 'anvil_setTime', [seconds])
}

/**
 * Maintains the running development chain:
 *
 * - Saves the chain when it has changed, at most every two seconds.
 * - Slows mining down while the chain is idle; a transaction restores the full pace within 0.5 s.
 * - Sets Anvil's clock after a reorg, because a reorg leaves this clock behind. Otherwise the first
 *   donation of a new campaign would look older than the campaign.
 *
 * @returns a function that stops the maintenance and, unless the node is lost, saves the chain
 *   again
 */
export const keepChain = (folder: string, url: string, log: Log, idleAfterMs: number) => {
  const abort = new AbortController()
  let seen = ''
  let saved = ''
  let nextSaveAtMs = 0
  let activeAtMs = Date.now()
  let paceS = 0
  let isNodeLost = false

  const tick = async () => {
    const nowMs = Date.now()
    const head = await callNode<Head>(url, 'eth_getBlockByNumber', ['latest', false])
    const isNew = seen !== '' && head.hash !== seen
    seen = head.hash
    if (isNew && nowMs / 1000 - Number(head.timestamp) > MAX_LAG_S) {
      await callNode(url, 'anvil_setTime', [Math.floor(nowMs / 1000)])
    }
    const { pending } = await callNode<{ pending: string }>(url, 'txpool_status')
    if (Number(pending) > 0 || (isNew && head.transactions.length > 0)) activeAtMs = nowMs
    const isIdle = nowMs - activeAtMs > idleAfterMs
    const wantedS = isIdle ? IDLE_BLOCK_TIME_S : BLOCK_TIME_S
    if (wantedS !== paceS) {
      await callNode(url, 'evm_setIntervalMining', [wantedS])
      paceS = wantedS
    }
    if (head.hash !== saved && nowMs >= nextSaveAtMs) {
      const startedAtMs = Date.now()
      await saveChain(folder, url)
      saved = head.hash
      const pauseMs = Math.max(MIN_SAVE_PAUSE_MS, (Date.now() - startedAtMs) * SAVE_PAUSE_FACTOR)
      nextSaveAtMs = Date.now() + pauseMs
    }
  }

  const run = async () => {
    while (!abort.signal.aborted) {
      await tick().catch((error: unknown) => {
        log.debug({ error: messageOf(error) }, 'maintenance of the development chain failed')
      })
      await sleep(TICK_MS, undefined, { signal: abort.signal, ref: false }).catch(() => undefined)
    }
    // A lost node is not saved, because another node may use its port now.
    if (!isNodeLost) await saveAtEnd(folder, url, log)
  }

  const ended = run()
  return ({ hasLostNode = false } = {}) => {
    isNodeLost ||= hasLostNode
    abort.abort()
    return ended
  }
}
