import { keccak256, parseEther } from 'ethers'
import { onTestFinished } from 'vitest'
import { selectors, testToken } from '../../contracts-abi/index.ts'
import { anvilProgram, startAnvil } from './anvil-process.ts'
import { putBack, takeIdleChain } from './idle-chains.ts'
import { keyOf } from './test-wallets.ts'
import { TOKEN } from './world.ts'

/** A signed transaction, and its hash, which does not depend on the block. */
export type Signed = { hash: string; raw: string; from: string }

/**
 * A development chain for one test. It mines only by `mine`, its final block is two blocks behind
 * the head, and it has the test token at its well-known address. It stops after the test.
 */
export type TestChain = {
  url: string
  call<T>(method: string, params?: readonly unknown[]): Promise<T>
  /** The lower-case address of a funded account. */
  addressOf(index: number): string
  /** Signs a token transfer. Only a replacement of another transaction needs `nonce`. */
  signToken(index: number, to: string, units: bigint, nonce?: number): Promise<Signed>
  signEther(index: number, to: string, ether: string, nonce?: number): Promise<Signed>
  sign(
    index: number,
    transaction: {
      to?: string
      data?: string
      value?: bigint
      gasLimit?: bigint
      gasPrice?: bigint
      /** With 0, the transaction is valid on all chains, as before EIP-155. */
      chainId?: bigint
    },
    nonce?: number,
  ): Promise<Signed>
  /** Sends a signed transaction to the pool. */
  send(signed: Signed): Promise<Signed>
  /** Mines blocks. The first contains the transactions of the pool. Returns the new head. */
  mine(blocks?: number): Promise<number>
  head(): Promise<number>
  /**
   * Replaces the newest blocks by as many other blocks, which contain only the given transactions
   * at their offsets.
   */
  reorg(depth: number, transactions?: readonly (readonly [Signed, number])[]): Promise<void>
}

/** Encodes a call of a function with an address and an amount. */
export const encodeAddressAmount = (selector: string, account: string, amount: bigint): string =>
  selector + account.slice(2).padStart(64, '0') + amount.toString(16).padStart(64, '0')

const GAS_PRICE = 20_000_000_000n
export const hasAnvil = anvilProgram() !== null

export type TestChainOptions = {
  /** The final block is twice this number of blocks behind the head. Default 1. */
  slotsInEpoch?: number
  /** The time of the first block in Unix seconds. Default: now. */
  timestamp?: number
  /** The chain id. Default 31337. */
  chainId?: number
  /** The fork. Default: the newest fork of Anvil. */
  hardfork?: string
}

/** Methods that change the node but not its state, so a snapshot cannot undo the change. */
const LASTING = /_set|_impersonate/

export const startTestChain = async (options: TestChainOptions = {}): Promise<TestChain> => {
  const program = anvilProgram()
  if (!program) throw new Error('No anvil here: the tests of real chains need it.')
  const chainId = options.chainId ?? 31337
  const isUsual = Object.keys(options).length === 0
  const idle = isUsual ? takeIdleChain() : undefined
  const anvil =
    idle?.anvil ??
    (await startAnvil(program, [
      `--chain-id=${chainId}`,
      '--no-mining',
      `--slots-in-an-epoch=${options.slotsInEpoch ?? 1}`,
      ...(options.timestamp === undefined ? [] : [`--timestamp=${options.timestamp}`]),
      ...(options.hardfork === undefined ? [] : [`--hardfork=${options.hardfork}`]),
    ]))
  let snapshot = idle?.snapshot
  let isReusable = isUsual
  onTestFinished(() =>
    isReusable && snapshot !== undefined ? putBack({ anvil, snapshot }) : anvil.close(),
  )
  const nonces = new Map<number, number>()

  const sign: TestChain['sign'] = async (index, transaction, nonce) => {
    const wallet = keyOf(index)
    const next = nonces.get(index) ?? 0
    if (nonce === undefined) nonces.set(index, next + 1)
    const raw = await wallet.signTransaction({
      chainId,
      type: 0,
      nonce: nonce ?? next,
      gasPrice: GAS_PRICE,
      gasLimit: 200_000n,
      ...transaction,
    })
    return { raw, hash: keccak256(raw), from: wallet.address.toLowerCase() }
  }
  const send: TestChain['send'] = async (signed) => {
    await anvil.call('eth_sendRawTransaction', [signed.raw])
    return signed
  }
  const head = async () => Number(await anvil.call<string>('eth_blockNumber'))
  const mine: TestChain['mine'] = async (blocks = 1) => {
    await anvil.call('anvil_mine', [`0x${blocks.toString(16)}`])
    return head()
  }
  const chain: TestChain = {
    url: anvil.url,
    call: (method, params) => {
      if (LASTING.test(method)) isReusable = false
      return anvil.call(method, params)
    },
    addressOf: (index) => keyOf(index).address.toLowerCase(),
    sign,
    signToken: (index, to, units, nonce) =>
      sign(index, { to: TOKEN, data: encodeAddressAmount(selectors.transfer, to, units) }, nonce),
    signEther: (index, to, ether, nonce) => sign(index, { to, value: parseEther(ether) }, nonce),
    send,
    mine,
    head,
    async reorg(depth, transactions = []) {
      await anvil.call('anvil_reorg', [
        depth,
        transactions.map(([signed, offset]) => [signed.raw, offset]),
      ])
    },
  }
  /** Mines at a fixed time after the start, so that block hashes are the same in each run. */
  const mineAt = async (seconds: number): Promise<void> => {
    const { timestamp } = options
    if (timestamp !== undefined) {
      await anvil.call('evm_setNextBlockTimestamp', [timestamp + seconds])
    }
    await mine()
  }
  const [deployment, ...mints] = await setupOf(chainId, chain)
  nonces.set(0, 1 + mints.length)
  if (idle) return chain
  if (deployment) await send(deployment)
  await mineAt(1)
  for (const mint of mints) await send(mint)
  await mineAt(2)
  if (isUsual) snapshot = await anvil.call<string>('evm_snapshot')
  return chain
}

const setups = new Map<number, Promise<Signed[]>>()

/** The transactions that deploy and mint the token, signed once for each chain id in a process. */
const setupOf = (chainId: number, { sign, addressOf }: TestChain): Promise<Signed[]> => {
  const mint = (index: number) =>
    sign(0, { to: TOKEN, data: encodeAddressAmount(selectors.mint, addressOf(index), 10n ** 15n) })
  const setup =
    setups.get(chainId) ??
    Promise.all([
      sign(0, { data: testToken.bytecode, gasLimit: 3_000_000n }),
      ...[1, 2, 3, 4, 5].map(mint),
    ])
  setups.set(chainId, setup)
  return setup
}
