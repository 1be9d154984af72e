import { type Keccak, loadKeccak } from './keccak.ts'
import { createRlpWriter, type RlpWriter } from './rlp-writer.ts'

/** Tools that every proof needs. Proofs are synchronous, so all proofs can share one writer. */
export type ProofTools = { keccak: Keccak; writer: RlpWriter }

export const createProofTools = async (): Promise<ProofTools> => ({
  keccak: await loadKeccak(),
  writer: createRlpWriter(),
})

/** Returns a function that loads the tools at its first call and keeps them for later calls. */
export const createToolsLoader = (): (() => Promise<ProofTools>) => {
  let loading: Promise<ProofTools> | undefined
  return () => {
    loading ??= createProofTools()
    return loading
  }
}
