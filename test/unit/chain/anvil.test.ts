import { Transaction, type TransactionRequest, Wallet } from 'ethers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { ChainClient } from '../../../src/chain/client-interface.ts'
import { recoverSender } from '../../../src/chain/encoding/sender.ts'
import { TRANSFER_TOPIC } from '../../../src/chain/payments/erc20.ts'
import { isRelevantBlock, outcomesOf, transfersIn } from '../../../src/chain/payments/scan-block.ts'
import { type Anvil, anvilProgram, FUNDED_KEY, startAnvil } from '../../support/anvil-process.ts'
import { RpcFault } from '../../support/rpc-server.ts'
import { clientOf, codeOf, serveForTest } from './support.ts'

const program = anvilProgram()
if (program === null) console.log('Skipped: there is no anvil for this platform.')

const CHAIN_ID = 31_337
const ACCOUNT = '0x00000000000000000000000000000000000000aa'
const OTHER = '0x00000000000000000000000000000000000000bb'
const STRANGER = '0x00000000000000000000000000000000000000cc'
const GAS_PRICE = 3_000_000_000n
const wallet = new Wallet(FUNDED_KEY)
const sender = wallet.address.toLowerCase()
const NO_CLAIMS = new Set<string>()
const WATCH = { accounts: new Set([ACCOUNT]), tokens: new Set<string>() }

/**
 * A contract that only emits a Transfer: a call with (from, to, amount) as three words emits that
 * event. Runtime: mstore(0, calldataload(64)); log3(0, 32, TRANSFER_TOPIC, calldataload(0),
 * calldataload(32)).
 */
const TOKEN_INIT_CODE = `0x603380600b6000396000f36040356000526020356000357f${TRANSFER_TOPIC.slice(2)}60206000a300`

const word = (value: bigint | string) => BigInt(value).toString(16).padStart(64, '0')
const transferData = (amount: bigint, to = ACCOUNT) => `0x${word(sender)}${word(to)}${word(amount)}`

/** Connects a client to one node. The client is closed after the test. */
const clientOfServer = ({ url }: { url: string }, chain: object = {}) => {
  const client = clientOf({ urls: [url], chain: { id: CHAIN_ID, ...chain } })
  onTestFinished(() => client.close())
  return client
}

describe.skipIf(program === null)('a real development chain', () => {
  let anvil: Anvil
  let client: ChainClient
  let nonce = 0

  const send = async (request: TransactionRequest): Promise<string> => {
    const filled = { chainId: CHAIN_ID, gasLimit: 200_000n, nonce, ...request }
    nonce += 1
    return anvil.call('eth_sendRawTransaction', [await wallet.signTransaction(filled)])
  }
  const legacy = (request: TransactionRequest) => send({ type: 0, gasPrice: GAS_PRICE, ...request })
  /** Returns the address of the contract that a mined transaction has created. */
  const contractOf = async (hash: string) => {
    const { contractAddress } = await anvil.call<{ contractAddress: string }>(
      'eth_getTransactionReceipt',
      [hash],
    )
    return contractAddress
  }
  const fees = { maxFeePerGas: GAS_PRICE, maxPriorityFeePerGas: 1n }
  const mine = async () => {
    await anvil.call('evm_mine')
    const { latest } = await client.heads()
    const [block] = await client.blocks(latest.number, latest.number)
    if (!block) throw new Error('no block')
    return { block, receipts: (await client.receipts([block])).get(block.hash) ?? [] }
  }

  beforeAll(async () => {
    anvil = await startAnvil(program ?? '', ['--no-mining', '--slots-in-an-epoch', '1'])
    client = clientOf({ urls: [anvil.url], chain: { id: CHAIN_ID } })
    await client.assertChainId()
  })
  afterAll(async () => {
    await client?.close()
    await anvil?.close()
  })

  test('proves every type of transaction, its receipts and its sender', async () => {
    await legacy({ to: ACCOUNT, value: 1n })
    const accessList = [
      { address: ACCOUNT, storageKeys: [`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`] },
    ]
    await send({ type: 1, gasPrice: GAS_PRICE, to: ACCOUNT, value: 2n, accessList })
    await send({ type: 2, ...fees, to: ACCOUNT, value: 3n, data: '0x00ff' })
    const authorization = { address: ACCOUNT, nonce: 0, chainId: CHAIN_ID }
    const delegate = await new Wallet(`0x${'22'.repeat(32)}`).authorize(authorization)
    await send({ type: 4, ...fees, to: ACCOUNT, value: 4n, authorizationList: [delegate] })
    await legacy({ data: TOKEN_INIT_CODE })
    const plain = { type: 0, nonce, gasPrice: GAS_PRICE, gasLimit: 21_000n }
    const unprotected = Transaction.from({ ...plain, to: ACCOUNT, value: 5n })
    unprotected.signature = wallet.signingKey.sign(unprotected.unsignedHash)
    nonce += 1
    await anvil.call('eth_sendRawTransaction', [unprotected.serialized])

    const { block, receipts } = await mine()
    expect(block.proof).toBe('transactions-root')
    expect(block.transactions.map(recoverSender)).toEqual(Array(6).fill(sender))
    expect(isRelevantBlock(block, WATCH, NO_CLAIMS)).toBe(true)
    const { transfers } = transfersIn(block, receipts, WATCH)
    expect(transfers.map((transfer) => transfer.amount)).toEqual([1n, 2n, 3n, 4n, 5n])
    expect(transfers[0]).toMatchObject({ sender, recipient: ACCOUNT, token: null, position: -1 })
  })

  test('proves a block of more than 256 transactions, and ties each receipt to its transaction', async () => {
    const hashes: string[] = []
    for (let value = 1n; value <= 260n; value += 1n)
      hashes.push(await legacy({ to: OTHER, value, gasLimit: 21_000n }))
    const { block, receipts } = await mine()
    expect(receipts.map((receipt) => receipt.txHash)).toEqual(hashes)
    expect(block.transactions).toHaveLength(260)
  })

  test('tells watched tokens, unknown tokens and reverted transactions apart', async () => {
    const deployed = await legacy({ data: TOKEN_INIT_CODE })
    await mine()
    const token = await contractOf(deployed)
    const paid = await legacy({ to: token, data: transferData(7_000_000n) })
    const nothing = await legacy({ to: token, data: transferData(0n) })
    const elsewhere = await legacy({ to: token, data: transferData(8n, OTHER) })
    const failed = await legacy({ to: ACCOUNT, value: 9n, data: '0x', gasLimit: 21_000n })
    const { block, receipts } = await mine()
    const claimed = new Set([paid, elsewhere, failed, nothing])
    const accounts = new Set([ACCOUNT])
    const tokens = new Set([token.toLowerCase()])

    expect(transfersIn(block, receipts, { accounts, tokens }).transfers).toEqual([
      { txHash: paid, position: 0, sender, recipient: ACCOUNT, token, amount: 7_000_000n },
      { txHash: failed, position: -1, sender, recipient: ACCOUNT, token: null, amount: 9n },
    ])
    const known = outcomesOf(block, receipts, claimed, { accounts, tokens })
    expect(known.map(({ unknownTokenRecipients: found }) => found)).toEqual([[], [], [], []])
    const [unknown] = outcomesOf(block, receipts, new Set([paid]), { accounts, tokens: new Set() })
    expect(unknown?.unknownTokenRecipients).toEqual([ACCOUNT])
    expect(isRelevantBlock(block, { accounts: new Set([OTHER]), tokens }, NO_CLAIMS)).toBe(true)
    expect(isRelevantBlock(block, { accounts: new Set([STRANGER]), tokens }, NO_CLAIMS)).toBe(false)
    expect(isRelevantBlock(block, { accounts: new Set(), tokens: new Set() }, claimed)).toBe(true)
  })

  test('says that a transaction reverted, and finds no payment in it', async () => {
    // The contract's runtime code is revert(0, 0).
    const deployed = await legacy({ data: '0x600580600b6000396000f360006000fd' })
    await mine()
    const contract = await contractOf(deployed)
    const claimed = await legacy({ to: contract, value: 5n })
    const { block, receipts } = await mine()
    const watch = { accounts: new Set([contract.toLowerCase()]), tokens: new Set<string>() }
    expect(transfersIn(block, receipts, watch).transfers).toEqual([])
    expect(outcomesOf(block, receipts, new Set([claimed]), watch)).toEqual([
      { txHash: claimed, reverted: true, unknownTokenRecipients: [], valueUnproven: false },
    ])
  })

  test('reads the head, the final block and the place of a transaction, and has null for an unknown hash', async () => {
    const hash = await legacy({ to: OTHER, value: 1n })
    const { block } = await mine()
    await anvil.call('anvil_mine', ['0x4'])
    const heads = await client.heads()
    expect(heads.latest.number).toBe(block.number + 4)
    const final = await client.headerAt(heads.finalizedNumber ?? -1)
    expect(heads.finalizedNumber).toBeLessThan(heads.latest.number)
    expect(final?.hash).toBe(heads.finalizedHash)
    const unknown = `0x${'00'.repeat(32)}`
    expect([...(await client.findTransactions([hash, unknown]))]).toEqual([
      [hash, { blockNumber: block.number, blockHash: block.hash }],
      [unknown, null],
    ])
    expect(await client.blockByHash(block.hash)).toEqual(block)
    expect(await client.blockByHash(unknown)).toBeNull()
    expect(await client.headerAt(heads.latest.number + 1)).toBeNull()
    expect(await codeOf(() => client.blocks(heads.latest.number, heads.latest.number + 1))).toBe(
      'block_missing',
    )
  })

  test('knows what is final by depth, or by a tag that nodes may not have', async () => {
    const server = await serveForTest((method, params) => anvil.call(method, params))
    const byTag = clientOfServer(server)
    const byDepth = clientOfServer(server, { finality: { depth: 2 } })
    const tooDeep = clientOfServer(server, { finality: { depth: 9999 } })
    const { latest } = await byDepth.heads()
    const nothing = { latest, finalizedNumber: null, finalizedHash: null }
    expect(await byDepth.heads()).toEqual({ ...nothing, finalizedNumber: latest.number - 2 })
    expect(await tooDeep.heads()).toEqual(nothing)
    server.alter = (_method, [tag], result) => (tag === 'finalized' ? null : result)
    expect(await byTag.heads()).toEqual(nothing)
    server.alter = (_method, [tag], result) => {
      if (tag === 'finalized') throw new RpcFault(-39001, 'unknown block')
      return result
    }
    expect(await byTag.heads()).toEqual(nothing)
  })

  test('disbelieves a node that sends another block than the one it was asked for', async () => {
    const server = await serveForTest((method, params) => anvil.call(method, params))
    const lied = clientOfServer(server)
    const first = await anvil.call<unknown>('eth_getBlockByNumber', ['0x1', true])
    server.alter = (method, _params, result) => (method === 'eth_chainId' ? result : first)
    expect(await codeOf(() => lied.blocks(1, 2))).toBe('header_forged')
    expect(await codeOf(() => lied.headerAt(2))).toBe('header_forged')
    expect(await codeOf(() => lied.blockByHash(`0x${'11'.repeat(32)}`))).toBe('header_forged')
  })

  test('notices that a block was replaced', async () => {
    await legacy({ to: ACCOUNT, value: 11n })
    const { block } = await mine()
    await anvil.call('anvil_reorg', [1, []])
    nonce -= 1
    const [replacement] = await client.blocks(block.number, block.number)
    expect(replacement?.parentHash).toBe(block.parentHash)
    expect(replacement?.hash).not.toBe(block.hash)
    expect(await client.blockByHash(block.hash)).toBeNull()
    expect(await codeOf(() => client.receipts([block]))).toBe('block_missing')
  })

  test('does not prove a transaction without a signature', async () => {
    await anvil.call('anvil_setBalance', [OTHER, '0xde0b6b3a7640000'])
    await anvil.call('anvil_impersonateAccount', [OTHER])
    await anvil.call('eth_sendTransaction', [{ from: OTHER, to: ACCOUNT, value: '0x1' }])
    expect(await codeOf(mine)).toBe('transactions_unverified')
    await anvil.call('anvil_rollback', [1])
  })
})

describe.skipIf(program === null)('a development chain of the OP kind', () => {
  test('proves deposits, their receipts and their sender', async () => {
    const anvil = await startAnvil(program ?? '', ['--optimism', '--no-mining'])
    onTestFinished(() => anvil.close())
    const client = clientOfServer(anvil)
    const deposit = {
      ...{ type: '0x7e', sourceHash: `0x${'07'.repeat(32)}`, isSystemTx: false },
      ...{ from: sender, to: ACCOUNT, mint: '0x10', value: '0x5', gas: '0x5208', gasPrice: '0x0' },
    }
    await anvil.call('eth_sendTransaction', [deposit])
    await anvil.call('evm_mine')
    const [block] = await client.blocks(1, 1)
    if (!block) throw new Error('no block')
    const receipts = (await client.receipts([block])).get(block.hash) ?? []
    expect(transfersIn(block, receipts, WATCH).transfers).toMatchObject([
      { sender, recipient: ACCOUNT, token: null, amount: 5n },
    ])
  })
})
