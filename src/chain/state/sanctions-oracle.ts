import { encodeAddress, selectors } from '../../../contracts-abi/index.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/ports/log.ts'
import { ChainError } from '../errors.ts'
import type { StateReader } from './state-reader.ts'

type SanctionsOracleOptions = {
  reader: StateReader
  /** The address of a contract with `isSanctioned(address) view returns (bool)` (Chainalysis). */
  address: string
  log: Log
}

const GAS = 500_000
const WORD_CHARS = 2 + 64

/**
 * Asks a contract whether addresses are sanctioned. Throws DomainError `unavailable` if no node
 * answers or if the contract does not return a boolean.
 */
export const createSanctionsOracle =
  ({ reader, address, log }: SanctionsOracleOptions) =>
  async (addresses: readonly string[]): Promise<boolean[]> => {
    const calls = addresses.map((account) => ({
      to: address,
      data: encodeAddress(selectors.isSanctioned, account),
      gas: GAS,
    }))
    try {
      const results = await reader.calls(await reader.newestBlock(), calls)
      return results.map((result) => {
        if (result === null || result.length !== WORD_CHARS) {
          throw new ChainError('bad_response', 'The sanctions oracle did not return a boolean.')
        }
        return BigInt(result) !== 0n
      })
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      log.error({ chainId: reader.chainId, code: error.code }, error.message)
      throw new DomainError('unavailable', 'The sanctions list is not available now.')
    }
  }
