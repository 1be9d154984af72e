import { setTimeout as delay } from 'node:timers/promises'
import { findAnvil } from '../../src/local/anvil-binary.ts'
import { DEV_CHAIN_ID, DEV_MNEMONIC } from '../../src/local/chain-node.ts'
import { startChild } from '../../src/local/child.ts'
import { freePort } from '../../src/local/free-port.ts'
import { callNode } from '../../src/local/rpc.ts'
import type { Cleanup } from '../support/cleanup.ts'

export type Anvil = { url: string; stop(): Promise<void> }

const READY_TIMEOUT_MS = 15_000
const READY_STEP_MS = 20

/** A development chain of the run's own, final two blocks behind its head. `archive` keeps old states. */
export const startAnvil = async (
  cleanup: Cleanup,
  options: readonly string[],
  archive = false,
): Promise<Anvil> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const args = [
    `--chain-id=${DEV_CHAIN_ID}`,
    `--mnemonic=${DEV_MNEMONIC}`,
    '--hardfork=prague',
    '--slots-in-an-epoch=1',
    ...(archive ? [] : ['--prune-history=64']),
    '--quiet',
    '--host=127.0.0.1',
    `--port=${port}`,
    ...options,
  ]
  const child = await startChild({ file: await findAnvil(), args }, () => {}, 'SIGKILL')
  const stop = () => child.stop([{ signal: 'SIGTERM', waitMs: 500 }])
  cleanup.add(stop)
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (child.isRunning() && Date.now() < deadline) {
    if (await callNode(url, 'eth_chainId').catch(() => undefined)) return { url, stop }
    await delay(READY_STEP_MS)
  }
  throw new Error(`Anvil did not start: ${child.lastLines().at(-1) ?? 'it said nothing'}`)
}
