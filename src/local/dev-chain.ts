import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { testToken } from '../../contracts-abi/index.ts'
import { messageOf, StartError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { keepChain } from './chain-keeper.ts'
import {
  DEV_CHAIN_ID,
  endLeftoverNode,
  forgetNode,
  NODE_STOP_STEPS,
  startNode,
} from './chain-node.ts'
import { saveChain } from './chain-state.ts'
import type { Child } from './child.ts'
import { DEV_TOKEN_ADDRESS, ensureToken } from './dev-token.ts'
import { lockFolder } from './folder-lock.ts'
import { callNode } from './rpc.ts'

export type DevChainOptions = {
  /** The data folder; the chain uses its `chain` subfolder. */
  dataDir: string
  log: Log
  /** Default: a free port. */
  port?: number | undefined
  /** Default 1. */
  blockTimeS?: number
  /** After this time without a transaction it mines slowly. Default 10 minutes. */
  idleAfterMs?: number
  /** Called when the chain ends unexpectedly. */
  onExit?: (reason: string) => void
}

export type DevChain = {
  url: string
  chainId: typeof DEV_CHAIN_ID
  pid: number
  /** Unlocked, funded with ether and all but the last with the token, in the mnemonic's order. */
  accounts: string[]
  token: { address: string; symbol: 'USDC'; decimals: 6 }
  /** Saves the chain and ends it, in at most five seconds. */
  stop(): Promise<void>
}

const LAST_SAVE_MS = 4_000

/**
 * System contracts that store 8191 block hashes and beacon roots (EIP-2935, EIP-4788). They are
 * removed, because Anvil copies the state for each block: with them 5 000 blocks take 16 s and
 * 180 MB, without them 0.6 s and 70 MB. Both EIPs allow their absence.
 */
const SYSTEM_CONTRACTS = [
  '0x0000f90827f1c53a10cb7a02335b175320002935',
  '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
]

/**
 * Starts the development chain on 127.0.0.1 with funded accounts and the test token: a block each
 * second, final two blocks later. A restart keeps all blocks and receipts except block 0, which
 * Anvil makes anew. A kill loses the blocks after the last save ({@link keepChain}).
 *
 * @throws StartError in one line: no Anvil, port taken, chain in use by a live Fundproof, …
 */
export const startDevChain = async (options: DevChainOptions): Promise<DevChain> => {
  const folder = join(options.dataDir, 'chain')
  mkdirSync(options.dataDir, { recursive: true, mode: 0o711 })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = lockFolder(folder)
  let node: Child | undefined
  try {
    await endLeftoverNode(folder, options.log)
    const started = await startNode(folder, options)
    node = started.node
    const { url } = started
    for (const address of SYSTEM_CONTRACTS) await callNode(url, 'anvil_setCode', [address, '0x'])
    // Our own node's answer: a list of addresses.
    const accounts = (await callNode(url, 'eth_accounts')) as string[]
    // The last account belongs to the seeded campaign, which is created after these transfers.
    await ensureToken(url, accounts.slice(0, -1))
    await saveChain(folder, url)
    const keeper = keepChain({ ...options, folder, url, blockTimeS: options.blockTimeS ?? 1 })
    return running(node, url, accounts, { folder, lock, keeper, options })
  } catch (error) {
    await node?.stop(NODE_STOP_STEPS)
    lock.release()
    if (error instanceof StartError) throw error
    throw new StartError(`The development chain did not start: ${messageOf(error)}.`)
  }
}

type Parts = {
  folder: string
  lock: { release(): void }
  keeper: { stop(): Promise<void> }
  options: DevChainOptions
}

const running = (node: Child, url: string, accounts: string[], parts: Parts): DevChain => {
  const { folder, lock, keeper, options } = parts
  let stopping: Promise<void> | undefined
  const release = () => {
    forgetNode(folder)
    lock.release()
  }
  const stop = async () => {
    const saved = keeper.stop().catch((error: unknown) => {
      options.log.warn(`The development chain could not be saved: ${messageOf(error)}.`)
    })
    await Promise.race([saved, sleep(LAST_SAVE_MS, undefined, { ref: false })])
    await node.stop(NODE_STOP_STEPS)
    release()
  }
  node.ended.then(async (reason) => {
    if (stopping) return
    stopping = keeper.stop().catch(() => undefined)
    await stopping
    release()
    options.onExit?.(`${reason}: ${node.lastLines().at(-1) ?? 'no output'}`)
  })
  return {
    url,
    chainId: DEV_CHAIN_ID,
    pid: node.pid,
    accounts: accounts.map((account) => account.toLowerCase()),
    token: { address: DEV_TOKEN_ADDRESS, symbol: testToken.symbol, decimals: testToken.decimals },
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}
