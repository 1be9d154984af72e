import { keccak256 } from 'ethers'
import { encodeAddressAmount, selectors } from '../../contracts-abi/index.ts'
import { DEV_TOKEN_ADDRESS, ensureToken } from '../../src/local/dev-token.ts'
import { callNode } from '../../src/local/rpc.ts'
import { setFault } from '../../test/simulation/faults.ts'
import { FAULTS, type FaultName } from '../../test/simulation/script.ts'
import { openFaultProxy } from '../../test/support/faults/proxy.ts'
import { keyOf } from '../../test/support/test-wallets.ts'
import { startAnvil } from '../settle/anvil.ts'
import type { Cleanup } from '../support/cleanup.ts'
import { BENCH_CHAIN } from '../support/world.ts'

export type Signed = { hash: string; raw: string; from: string }

/** A development chain with three addresses for the service. The third one can lie. */
export type SoakChain = {
  id: number
  /** The setting of this chain in `CHAINS`. */
  config: object
  /** Signs a payment. Each wallet pays in the order of its payments. */
  sign(wallet: number, to: string, asset: 'USDC' | 'ETH', units: bigint): Promise<Signed>
  send(signed: Signed): Promise<void>
  mine(blocks?: number): Promise<void>
  /** Replaces the newest blocks by empty ones, and sends their transactions again. */
  reorg(depth: number): Promise<void>
  /** Sends the newest transactions again that no block has. */
  resend(): Promise<void>
  /** Makes the third node lie or fail. Returns the fault. */
  breakNode(account: string): Promise<FaultName | 'hang'>
  healNode(): void
}

const ALL_FAULTS = [...FAULTS, 'hang'] as const
const GAS_PRICE = 20_000_000_000n
const GAS_LIMIT = 100_000n
/** More transactions than the replaced blocks and the pool have. */
const RESENT = 60
/** A node on a busy machine may need long to answer. */
const SEND_MS = 60_000

export const startSoakChain = async (cleanup: Cleanup, id: number): Promise<SoakChain> => {
  const { url } = await startAnvil(cleanup, ['--no-mining', `--chain-id=${id}`], true)
  await ensureToken(url, await callNode<string[]>(url, 'eth_accounts'))
  const proxy = await openFaultProxy(url, id)
  cleanup.add(() => proxy.close())
  const nonces = new Map<number, number>()
  const recent: Signed[] = []
  let faults = 0
  const head = async () => Number(await callNode(url, 'eth_blockNumber'))
  const send = (raw: string) => callNode(url, 'eth_sendRawTransaction', [raw], SEND_MS)
  // The node refuses transactions that a block or its pool still has.
  const resend = async (): Promise<void> => {
    for (const { raw } of [...recent]) await send(raw).catch(() => {})
  }
  const mine = (blocks = 1) => callNode(url, 'anvil_mine', [`0x${blocks.toString(16)}`])
  return {
    id,
    config: {
      ...BENCH_CHAIN,
      id,
      name: `soak ${id}`,
      // A node has one vote, and its addresses must differ.
      rpc: [`${url}/?one`, `${url}/?two`, proxy.url],
      quorum: 2,
      startBlock: 0,
      pollIntervalMs: 1_000,
    },
    async sign(wallet, to, asset, units) {
      const nonce = nonces.get(wallet) ?? 0
      nonces.set(wallet, nonce + 1)
      const payment =
        asset === 'ETH'
          ? { to, value: units }
          : { to: DEV_TOKEN_ADDRESS, data: encodeAddressAmount(selectors.transfer, to, units) }
      const common = { chainId: id, type: 0, nonce, gasPrice: GAS_PRICE, gasLimit: GAS_LIMIT }
      const key = keyOf(wallet)
      const raw = await key.signTransaction({ ...common, ...payment })
      return { raw, hash: keccak256(raw), from: key.address.toLowerCase() }
    },
    async send(signed) {
      recent.push(signed)
      if (recent.length > RESENT) recent.shift()
      await send(signed.raw)
    },
    mine: async (blocks) => {
      await mine(blocks)
    },
    async reorg(depth) {
      await callNode(url, 'anvil_reorg', [depth, []])
      await resend()
    },
    resend,
    async breakNode(account) {
      const fault = ALL_FAULTS[faults++ % ALL_FAULTS.length] ?? 'hang'
      if (fault === 'hang') proxy.set({ kind: 'hang' })
      else setFault(proxy, fault, await head(), account)
      return fault
    },
    healNode: () => proxy.heal(),
  }
}
