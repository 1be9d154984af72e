import type { Anvil } from './anvil-process.ts'

/** A development chain as it was at its snapshot. Starting one takes 130 ms of processor time. */
export type IdleChain = { anvil: Anvil; snapshot: string }

/** The chains that ended tests of this file have left. */
const idle: IdleChain[] = []

export const takeIdleChain = (): IdleChain | undefined => idle.pop()

/** Brings a chain back to its snapshot and the present time. A chain that cannot go back ends. */
export const putBack = async ({ anvil, snapshot }: IdleChain): Promise<void> => {
  try {
    await anvil.call('anvil_dropAllTransactions')
    // A snapshot is gone after a reorg of its block.
    if (!(await anvil.call<boolean>('evm_revert', [snapshot]))) return await anvil.close()
    await anvil.call('evm_setTime', [Math.floor(Date.now() / 1_000)])
    idle.push({ anvil, snapshot: await anvil.call<string>('evm_snapshot') })
  } catch {
    await anvil.close()
  }
}

export const endIdleChains = async (): Promise<void> => {
  await Promise.all(idle.splice(0).map(({ anvil }) => anvil.close()))
}
