import { type Keccak, loadKeccak } from './keccak.ts'
import { createRlpWriter, type RlpWriter } from './rlp-writer.ts'

/** What every proof works with. A proof is synchronous, so one buffer serves them all in turn. */
export type ProofTools = { keccak: Keccak; writer: RlpWriter }

export const createProofTools = async (): Promise<ProofTools> => ({
  keccak: await loadKeccak(),
  writer: createRlpWriter(),
})

/** Loads them at the first proof, and once. */
export const createToolsLoader = (): (() => Promise<ProofTools>) => {
  let loading: Promise<ProofTools> | undefined
  return () => {
    loading ??= createProofTools()
    return loading
  }
}
