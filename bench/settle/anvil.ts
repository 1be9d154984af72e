import { startAnvil as startServer } from '../../src/local/dev-chain.ts'
import { callNode } from '../../src/local/rpc.ts'
import type { Cleanup } from '../support/cleanup.ts'

export type Anvil = { url: string; stop(): Promise<void> }

/**
 * Starts a development chain for the run, whose final block is two blocks behind its head.
 * `archive` keeps old states.
 */
export const startAnvil = async (
  cleanup: Cleanup,
  options: readonly string[],
  archive = false,
): Promise<Anvil> => {
  const { address, stop } = await startServer([
    '--hardfork=prague',
    '--slots-in-an-epoch=1',
    ...(archive ? [] : ['--prune-history=64']),
    ...options,
  ])
  cleanup.add(stop)
  const url = `http://${address}`
  // Without this call Anvil prints a line for each call.
  await callNode(url, 'anvil_setLoggingEnabled', [false])
  return { url, stop }
}
