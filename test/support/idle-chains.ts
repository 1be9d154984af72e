import type { Anvil } from './anvil-process.ts'

/**
 * A development chain with a snapshot. It is used again, because a start takes 130 ms of processor
 * time.
 */
export type IdleChain = { anvil: Anvil; snapshot: string }

/** The chains of finished tests in this file. */
const idle: IdleChain[] = []

export const takeIdleChain = (): IdleChain | undefined => idle.pop()

/**
 * Reverts a chain to its snapshot, and sets its clock to the present. Closes the chain if that
 * fails.
 */
export const putBack = async ({ anvil, snapshot }: IdleChain): Promise<void> => {
  try {
    await anvil.call('anvil_dropAllTransactions')
    // A reorg of the snapshot's block has removed the snapshot.
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
