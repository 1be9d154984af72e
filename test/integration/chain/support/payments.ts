import { Interface, type InterfaceAbi, keccak256, Wallet } from 'ethers'
import { type TestContractName, testContracts } from '../../../../contracts-abi/test-contracts.ts'
import { syncChain } from '../../../../worker/chain/sync-chain.ts'
import { createCheckDonationsJob } from '../../../../worker/jobs/check-donations.ts'
import { address } from '../../../support/chain-facts.ts'
import { createChainSync } from '../../../support/chain-sync.ts'
import { recordDonation } from '../../../support/donate.ts'
import { RpcFault, type RpcServer } from '../../../support/rpc-server.ts'
import { type Signed, startTestChain, type TestChain } from '../../../support/test-chain.ts'
import { createTestCampaign, createUser, createWorld, TEST_CHAIN } from '../../../support/world.ts'
import { serveChain } from '../../support/served-chain.ts'

export const ETHER = 10n ** 18n

/** Which traces and old states the node of a test provides. */
export type NodeKind =
  | 'traces'
  | 'flat traces'
  | 'no traces'
  | 'no old state'
  | 'no traces, no old state'
export const NODES: readonly NodeKind[] = ['traces', 'flat traces', 'no traces']

/** A stored transfer, with the column names of the table. */
export type StoredTransfer = {
  txHash: string
  position: number
  source: string
  sender: string
  recipient: string
  amount: string
}

export type PaymentsWorld = Awaited<ReturnType<typeof createPaymentsWorld>>

/**
 * A node in front of the chain. It refuses the methods that a node of this kind lacks. The test can
 * change its answers, and read its calls.
 */
export const nodeBefore = async (chain: TestChain, kind: NodeKind): Promise<RpcServer> => {
  const server = await serveChain(chain)
  server.alter = (method, _params, result) => {
    const isRefused =
      (method.startsWith('debug_') && (kind === 'flat traces' || kind.includes('no traces'))) ||
      (method.startsWith('trace_') && kind.includes('no traces'))
    if (isRefused) throw new RpcFault(-32601, `no method ${method}`)
    if (method === 'eth_getProof' && kind.includes('no old state')) {
      throw new RpcFault(-32000, 'missing trie node')
    }
    return result
  }
  return server
}

/**
 * A real chain and database, one campaign for each of `accounts`, and a sync that reads a single
 * node of this kind. Real contracts make and receive all payments.
 */
export const createPaymentsWorld = async (
  kind: NodeKind = 'traces',
  options: { accounts?: string[]; chain?: TestChain; config?: object; tokens?: object[] } = {},
) => {
  const chain = options.chain ?? (await startTestChain())
  const node = await nodeBefore(chain, kind)
  const tokens = [...TEST_CHAIN.tokens, ...((options.tokens ?? []) as typeof TEST_CHAIN.tokens)]
  const world = await createWorld({ chains: [{ ...TEST_CHAIN, tokens }] })
  const creator = await createUser(world.ctx)
  const donor = await createUser(world.ctx)
  const campaigns = new Map<string, string>()
  const open = async (account: string) => {
    const id = await createTestCampaign(world.ctx, { creator, account, target: '1000000' })
    campaigns.set(account.toLowerCase(), id)
    return id
  }
  for (const account of options.accounts ?? [address('campaign')]) await open(account)
  const sync = createChainSync(world.ctx, {
    ...TEST_CHAIN,
    tokens,
    name: 'test',
    rpc: [node.url],
    startBlock: 0,
    ...options.config,
  })
  const checks = createCheckDonationsJob(sync)
  const follow = () => syncChain(sync, new AbortController().signal)
  return {
    chain,
    node,
    world,
    sync,
    checks,
    open,
    follow,
    mineAndFollow: async (blocks = 1) => {
      await chain.mine(blocks)
      await follow()
    },
    /** Records a donation that claims a transaction for the campaign of an account. */
    async claim(
      signed: Signed,
      account: string,
      value = '1',
      currency = 'ETH',
      logPosition?: number,
    ) {
      const { donation } = await recordDonation(world.as(donor), {
        campaignId: campaigns.get(account.toLowerCase()) ?? '',
        amount: { value, currency },
        transaction: {
          ...{ txHash: signed.hash, ledgerAddress: account },
          ...(logPosition === undefined ? {} : { logPosition }),
        },
      })
      return donation.id
    },
    /** Lists the stored transfers that a block of the chain contains. */
    transfers: async (): Promise<StoredTransfer[]> => [
      ...(await world.ctx.sql<StoredTransfer[]>`
        select tx_hash, position, source, sender, recipient, amount::text as amount
        from chain_transfer where block_number is not null
        order by block_number, tx_hash, recipient, position desc`),
    ],
    donations: async () => [
      ...(await world.ctx.sql<{ status: string; reason: string; amount: string | null }[]>`
        select status, reason, confirmed_amount::text as amount from donation
        order by created_at, id`),
    ],
  }
}

/** Encodes a call of a function of a test contract. */
export const encode = (name: TestContractName, method: string, args: readonly unknown[]): string =>
  interfaceOf(name).encodeFunctionData(method, args)

const interfaceOf = (name: TestContractName): Interface =>
  new Interface(testContracts[name].abi as InterfaceAbi)

export type Deployed = {
  address: string
  /** Signs a call of a function of the contract, and sends it to the pool. */
  call(index: number, method: string, args: readonly unknown[], value?: bigint): Promise<Signed>
}

/** Deploys a test contract, alone in a block. */
export const deploy = async (
  chain: TestChain,
  name: TestContractName,
  args: readonly unknown[] = [],
  value = 0n,
): Promise<Deployed> => {
  const data = testContracts[name].bytecode + interfaceOf(name).encodeDeploy(args).slice(2)
  const sent = await chain.send(await chain.sign(0, { data, value, gasLimit: 3_000_000n }))
  await chain.mine()
  const receipt = await chain.call<{ contractAddress: string }>('eth_getTransactionReceipt', [
    sent.hash,
  ])
  return at(chain, name, receipt.contractAddress.toLowerCase())
}

/** A handle for a test contract that is already deployed at an address. */
export const at = (chain: TestChain, name: TestContractName, address: string): Deployed => ({
  address,
  call: async (index, method, args, value = 0n) =>
    chain.send(
      await chain.sign(index, {
        to: address,
        data: encode(name, method, args),
        value,
        gasLimit: 1_000_000n,
      }),
    ),
})

/**
 * Funds an account with a key that delegates to code (EIP-7702), and that signs its own
 * transactions.
 */
export const delegate = async (chain: TestChain, code: string) => {
  const wallet = new Wallet(`0x${'42'.repeat(32)}`)
  await chain.call('anvil_setBalance', [wallet.address, `0x${(10n * ETHER).toString(16)}`])
  let nonce = 0
  const send = async (transaction: object): Promise<Signed> => {
    const raw = await wallet.signTransaction({
      ...{ chainId: 31337, nonce, gasLimit: 500_000n, to: wallet.address },
      ...{ maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n },
      ...transaction,
    })
    nonce += 1
    return chain.send({ raw, hash: keccak256(raw), from: wallet.address.toLowerCase() })
  }
  // The authorization has nonce 1, because the sender's nonce 0 is used before the authorization is
  // read.
  const authorization = await wallet.authorize({ address: code, nonce: 1, chainId: 31337 })
  await send({ type: 4, authorizationList: [authorization] })
  nonce += 1
  await chain.mine()
  return { address: wallet.address.toLowerCase(), send }
}
