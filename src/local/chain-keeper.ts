import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { saveChain } from './chain-state.ts'
import { callNode } from './rpc.ts'

export type ChainKeeper = {
  /** Saves the chain if it has changed, and stops. */
  stop(): Promise<void>
}

export type KeeperOptions = {
  folder: string
  url: string
  blockTimeS: number
  log: Log
  /** After this time without a transaction the chain mines slowly. Default 10 minutes. */
  idleAfterMs?: number
}

const TICK_MS = 500
const MIN_SAVE_PAUSE_MS = 2_000
/** Saving takes at most a twentieth of the time, also for a long chain. */
const SAVE_PAUSE_FACTOR = 20
const FINAL_SAVE_TIMEOUT_MS = 3_000
const IDLE_AFTER_MS = 600_000
/** Each block takes 8 kB of Anvil's memory: 680 MB a day at one block per second, 45 MB idle. */
const IDLE_BLOCK_TIME_S = 15
const MAX_LAG_S = 3

type Head = { hash: string; timestampS: number; isEmpty: boolean }

/**
 * Maintains the running development chain:
 *
 * - Saves it when it has changed, at most every two seconds.
 * - Slows mining down while it is idle; a transaction restores the full pace within half a second.
 * - Corrects Anvil's clock after a reorg, which leaves it behind. Otherwise a new campaign's first
 *   donation would look older than the campaign.
 */
export const keepChain = (options: KeeperOptions): ChainKeeper => {
  const { folder, url, log } = options
  const abort = new AbortController()
  let seen = ''
  let saved = ''
  let nextSaveAtMs = 0
  let activeAtMs = Date.now()
  let isIdle = false

  const save = async (head: Head, timeoutMs?: number) => {
    const startedAtMs = Date.now()
    await saveChain(folder, url, timeoutMs)
    saved = head.hash
    const tookMs = Date.now() - startedAtMs
    nextSaveAtMs = Date.now() + Math.max(MIN_SAVE_PAUSE_MS, tookMs * SAVE_PAUSE_FACTOR)
  }

  const setPace = async (idle: boolean) => {
    isIdle = idle
    await callNode(url, 'evm_setIntervalMining', [idle ? IDLE_BLOCK_TIME_S : options.blockTimeS])
    log.debug({ idle }, 'the development chain changed its pace')
  }

  const tick = async () => {
    const head = await readHead(url)
    const isNew = seen !== '' && head.hash !== seen
    seen = head.hash
    if (isNew && Date.now() / 1000 - head.timestampS > MAX_LAG_S) {
      await callNode(url, 'anvil_setTime', [Math.floor(Date.now() / 1000)])
    }
    if ((isNew && !head.isEmpty) || (await hasPending(url))) activeAtMs = Date.now()
    const shouldIdle = Date.now() - activeAtMs > (options.idleAfterMs ?? IDLE_AFTER_MS)
    if (shouldIdle !== isIdle) await setPace(shouldIdle)
    if (head.hash !== saved && Date.now() >= nextSaveAtMs) await save(head)
  }

  const run = async () => {
    while (!abort.signal.aborted) {
      await tick().catch((error: unknown) => {
        log.debug({ error: messageOf(error) }, 'maintenance of the development chain failed')
      })
      await sleep(TICK_MS, undefined, { signal: abort.signal, ref: false }).catch(() => undefined)
    }
  }

  const running = run()
  return {
    async stop() {
      abort.abort()
      await running
      const head = await readHead(url)
      if (head.hash !== saved) await save(head, FINAL_SAVE_TIMEOUT_MS)
    },
  }
}

const readHead = async (url: string): Promise<Head> => {
  // Our own node always sends these three fields.
  const block = (await callNode(url, 'eth_getBlockByNumber', ['latest', false])) as {
    hash: string
    timestamp: string
    transactions: unknown[]
  }
  return {
    hash: block.hash,
    timestampS: Number(block.timestamp),
    isEmpty: block.transactions.length === 0,
  }
}

const hasPending = async (url: string): Promise<boolean> => {
  const status = (await callNode(url, 'txpool_status')) as { pending: string }
  return Number(status.pending) > 0
}
