import { keccak256 } from 'ethers'
import { encodeAddress, walletProbe } from '../../../contracts-abi/index.ts'
import { messageOf } from '../../kernel/errors.ts'
import { createShortKeeper } from '../../kernel/keep-short.ts'
import type { ContractReader, TokenDomain } from '../../kernel/ports/contract-reader.ts'
import type { Log } from '../../kernel/ports/log.ts'
import { ChainError } from '../errors.ts'
import type { PinnedBlock, StateReader } from './state-reader.ts'
import { readTokenDomain } from './token-domain.ts'

const ATTEMPTS = 2
/** Views of an escrow need far less. */
const VIEW_GAS = 1_000_000
const NO_CALL = { data: '0x', gas: 100_000 }

/** Reads contracts with the state readers of the chains. See {@link ContractReader}. */
export const createContractReader = (options: {
  readers: readonly StateReader[]
  log: Log
}): ContractReader => {
  const readers = new Map(options.readers.map((reader) => [reader.chainId, reader]))
  const domains = new Map<string, TokenDomain>()
  /** A list of returns asks about each sender, of which a stranger can make many. */
  const keepWallet = createShortKeeper<boolean | null>()

  /** Reads at the newest block. A reorg or a node that is behind causes a second attempt. */
  const atNewest = async <T>(
    chainId: number,
    read: (reader: StateReader, block: PinnedBlock) => Promise<T>,
  ): Promise<T | null> => {
    const reader = readers.get(chainId)
    if (!reader) return null
    for (let attempt = 1; ; attempt++) {
      try {
        return await read(reader, await reader.newestBlock())
      } catch (error) {
        if (!(error instanceof ChainError)) throw error
        if (error.code === 'block_missing' && attempt < ATTEMPTS) continue
        options.log.warn({ chainId, code: error.code }, `contracts: ${messageOf(error)}`)
        return null
      }
    }
  }

  return {
    codeHashes: ({ chainId, addresses }) =>
      atNewest(chainId, async (reader, block) => {
        const codes = await reader.codes(block, addresses)
        return codes.map((code) => (code === '0x' ? null : keccak256(code)))
      }),
    isWallet: ({ chainId, address }) =>
      keepWallet(keyOf(chainId, address), () =>
        atNewest(chainId, (reader, block) => readIsWallet(reader, block, address)),
      ),
    hasCode: ({ chainId, address }) =>
      atNewest(chainId, async (reader, block) => {
        const { code } = await reader.codeAndCall(block, address, NO_CALL)
        return code !== '0x'
      }),
    view: ({ chainId, to, data }) =>
      atNewest(chainId, async (reader, block) => {
        const [answer] = await reader.calls(block, [{ to, data, gas: VIEW_GAS }])
        return answer ?? null
      }),
    simulate: ({ chainId, calls, from }) =>
      atNewest(chainId, async (reader, block) => {
        const gas = await reader.gasOf(block, calls, from)
        return gas === undefined ? null : { block: block.number, ok: gas !== null, gas }
      }),
    async tokenDomain({ chainId, address }) {
      const key = keyOf(chainId, address)
      const known = domains.get(key)
      if (known) return known
      const read = await atNewest(chainId, (reader, block) =>
        readTokenDomain(reader, block, address),
      )
      if (read) domains.set(key, read)
      return read
    },
    knownTokenDomain: ({ chainId, address }) => domains.get(keyOf(chainId, address)) ?? null,
  }
}

const keyOf = (chainId: number, address: string): string => `${chainId} ${address.toLowerCase()}`

/** Seven calls of at most 500 000 gas each, and the code of the probe. */
const GAS = 4_500_000

/**
 * Whether an account is a wallet, so that its owner can use money that it gets: a plain key, also
 * with a delegation (EIP-7702), or a contract that answers as a wallet: EIP-1271, a Safe of any
 * version, an account by ERC-4337. False for bridges, routers, tokens and others.
 *
 * @throws ChainError without a quorum
 */
const readIsWallet = async (
  reader: Pick<StateReader, 'probe'>,
  block: PinnedBlock,
  account: string,
): Promise<boolean> => {
  const data = encodeAddress(walletProbe.bytecode, account)
  return (await reader.probe(block, { data, gas: GAS })) === '0x01'
}
