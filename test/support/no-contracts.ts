import type { ContractReader } from '../../src/kernel/ports/contract-reader.ts'

/** A contract reader without nodes. */
export const noContracts: ContractReader = {
  codeHashes: async () => null,
  isWallet: async () => null,
  hasCode: async () => null,
  view: async () => null,
  simulate: async () => null,
  tokenDomain: async () => null,
  knownTokenDomain: () => null,
}
