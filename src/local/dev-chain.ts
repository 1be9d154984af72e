import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { testToken } from '../../contracts-abi/index.ts'
import { messageOf, StartError } from '../kernel/errors.ts'
import type { Log } from '../kernel/ports/log.ts'
import { startDevBeacon } from './beacon/dev-beacon.ts'
import { keepChain, loadChain, saveAtEnd, saveChain } from './chain-keeper.ts'
import { ensureFactory } from './dev-factory.ts'
import { DEV_TOKEN_ADDRESS, ensureToken } from './dev-token.ts'
import { claimFolder } from './folder-lock.ts'
import { callNode } from './rpc.ts'
import { endLeftover, type Server, startServer } from './server.ts'

export type DevChainOptions = {
  /** The data folder; the chain uses its `chain` subfolder. */
  dataDir: string
  log: Log
  /** After this time without a transaction, the chain mines slowly. Default 10 minutes. */
  idleAfterMs?: number
  /** Called when the chain ends unexpectedly. */
  onExit?: (reason: string) => void
}

export type DevChain = Awaited<ReturnType<typeof startDevChain>>

export const DEV_CHAIN_ID = 31337

const NAME = 'The development chain'
const IDLE_AFTER_MS = 600_000
const LAST_SAVE_MS = 4_000

/**
 * A block is final when two blocks follow (two epochs of one slot). Anvil keeps the newest 64
 * states for calls and reorgs. All ether exists from the start, because block headers cannot prove
 * a balance that is set later.
 */
const CHAIN_OPTIONS = [
  `--chain-id=${DEV_CHAIN_ID}`,
  '--balance=1000000000',
  '--hardfork=prague',
  '--slots-in-an-epoch=1',
  '--prune-history=64',
  // Mining starts only after the saved chain is loaded.
  '--no-mining',
  '--no-request-size-limit',
]

/**
 * System contracts that store recent block hashes and beacon roots (EIP-2935, EIP-4788). Their code
 * is removed, as both EIPs allow, because Anvil copies the state for each block: 5 000 blocks take
 * 16 s and 180 MB with the code, but 0.6 s and 70 MB without the code.
 */
const SYSTEM_CONTRACTS = [
  '0x0000f90827f1c53a10cb7a02335b175320002935',
  '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
]

/**
 * Starts the development chain on 127.0.0.1 with funded accounts, the test token and a sync
 * committee. It mines a block each second. A restart keeps all blocks and receipts except block 0,
 * which Anvil makes again. If the process is killed, blocks after the last save are lost
 * ({@link keepChain}).
 *
 * @throws StartError, for example if Anvil is missing, or another process uses the folder
 */
export const startDevChain = async (options: DevChainOptions) => {
  const { log, idleAfterMs = IDLE_AFTER_MS } = options
  const { folder, release } = claimFolder(options.dataDir, 'chain')
  let node: Server | undefined
  let beacon: Awaited<ReturnType<typeof startDevBeacon>> | undefined
  try {
    // If Fundproof was killed, Anvil may still run and have blocks that are not saved.
    await endLeftover(folder, log, (address) => saveAtEnd(folder, `http://${address}`, log))
    node = await startAnvil(CHAIN_OPTIONS, { folder, log: log.child({ part: 'chain' }) })
    const url = `http://${node.address}`
    // Without this setting, Anvil prints a line for each RPC call.
    await callNode(url, 'anvil_setLoggingEnabled', [false])
    await loadChain(folder, url)
    for (const address of SYSTEM_CONTRACTS) await callNode(url, 'anvil_setCode', [address, '0x'])
    const accounts = await callNode<string[]>(url, 'eth_accounts')
    // The last account gets no tokens, because it is the account of the seeded campaign.
    await ensureToken(url, accounts.slice(0, -1))
    await ensureFactory(url, accounts[0])
    await saveChain(folder, url)
    beacon = await startDevBeacon(url)
    const { settings: committee, close: closeBeacon } = beacon
    const endKeeping = keepChain(folder, url, log, idleAfterMs)
    const { pid, ended, stop: stopNode } = node
    ended.then((reason) => {
      release()
      closeBeacon()
      void endKeeping({ hasLostNode: true })
      if (reason !== undefined) options.onExit?.(reason)
    })
    return {
      url,
      chainId: DEV_CHAIN_ID,
      pid,
      /** Anvil signs for these accounts. All accounts except the last one have the token. */
      accounts,
      token: { address: DEV_TOKEN_ADDRESS, symbol: testToken.symbol, decimals: testToken.decimals },
      /** The settings of the chain's sync committee. */
      committee,
      /** Saves the chain and ends Anvil, in at most five seconds. */
      async stop() {
        await Promise.race([endKeeping(), sleep(LAST_SAVE_MS, undefined, { ref: false })])
        await stopNode({ atOnce: true })
      },
    }
  } catch (error) {
    beacon?.close()
    await node?.stop()
    release()
    if (error instanceof StartError) throw error
    throw new StartError(`${NAME} did not start: ${messageOf(error)}.`)
  }
}

/**
 * Starts Anvil on a free port, from the npm package of this platform or else the PATH.
 *
 * @throws StartError if Anvil fails (with its reason) or is missing (with how to install it)
 */
export const startAnvil = (args: string[], options: { folder?: string; log?: Log } = {}) => {
  const machine = process.arch === 'x64' ? 'amd64' : process.arch
  const name = `@foundry-rs/anvil-${process.platform}-${machine}`
  let file = 'anvil'
  try {
    file = createRequire(import.meta.url).resolve(`${name}/bin/anvil`)
  } catch {
    // The npm package of this platform is not installed, so the system searches the PATH.
  }
  const command = { file, args: ['--host=127.0.0.1', '--port=0', ...args] }
  return startServer(command, {
    name: NAME,
    ready: /Listening on (\S+)/,
    ifMissing:
      'No development chain for this machine: install Foundry (https://getfoundry.sh) ' +
      'so that `anvil` is on the PATH, or set CHAINS.',
    ...options,
  })
}
