import { asJson, asList, type Fault, hex, type Json, type Layer } from './fault.ts'
import { HEAD_LIES, tagLayer } from './head-lies.ts'
import { renamedTransactionLayer } from './renamed-transaction.ts'

/** The payment that a lie may be about. */
export type Payment = { hash: string; to: string; token: string; head: number }

/** `named`: whether the worker must name the node. Other lies only must have no effect. */
export type NamedLie = { about: string; named: boolean; faults(payment: Payment): Fault[] }

const HASH = `0x${'ab'.repeat(32)}`
const ADDRESS = `0x${'ab'.repeat(20)}`

const custom = (layer: Layer): Fault[] => [{ kind: 'custom', layer }]
const answers = (methods: RegExp, change: (result: unknown) => unknown): Fault[] =>
  custom(async (method, params, ask) => {
    const result = await ask(method, params)
    return methods.test(method) ? change(result) : result
  })
const inBlock = (change: Json | ((block: Json) => Json)): Fault[] =>
  answers(/^eth_getBlockBy/, (result) => {
    const block = asJson(result)
    return block && { ...block, ...(typeof change === 'function' ? change(block) : change) }
  })
/** Changes the transactions of blocks that show full transactions. */
const inTransactions = (change: (list: Json[]) => unknown): Fault[] =>
  inBlock((block) => {
    const list = asList(block.transactions)
    return asJson(list[0]) ? { transactions: change(list) } : {}
  })
const eachTransaction = (change: Json): Fault[] =>
  inTransactions((list) => list.map((one) => ({ ...one, ...change })))
const inReceipts = (change: (list: Json[]) => unknown): Fault[] =>
  answers(/^eth_getBlockReceipts$/, (result) => change(asList(result)))
const eachReceipt = (change: Json): Fault[] =>
  inReceipts((list) => list.map((one) => ({ ...one, ...change })))
const eachLog = (change: (log: Json) => Json): Fault[] =>
  inReceipts((list) =>
    list.map((one) => ({
      ...one,
      logs: asList(one.logs).map((log) => ({ ...log, ...change(log) })),
    })),
  )
const plus = (value: unknown, more = 1): string => hex(BigInt(String(value)) + BigInt(more))

const seen = (about: string, faults: NamedLie['faults']): NamedLie => ({
  about,
  named: true,
  faults,
})
const harmless = (about: string, faults: NamedLie['faults']): NamedLie => ({
  ...{ about, named: false, faults },
})

/** Wrong but well-formed answers of a node, about the payment or in all answers. */
export const NAMED_LIES: readonly NamedLie[] = [
  seen('header: another hash', () => [{ kind: 'forged-hash' }]),
  seen('header: another parent', () => inBlock({ parentHash: HASH })),
  seen('header: another state root', () => inBlock({ stateRoot: HASH })),
  seen('header: another receipts root', () => inBlock({ receiptsRoot: HASH })),
  seen('header: another transactions root', () => inBlock({ transactionsRoot: HASH })),
  seen('header: an empty bloom', () => inBlock({ logsBloom: `0x${'00'.repeat(256)}` })),
  seen('header: a later time', () => inBlock((block) => ({ timestamp: plus(block.timestamp) }))),
  seen('header: less gas', () => inBlock({ gasUsed: '0x1' })),
  seen('header: a higher number', () => inBlock((block) => ({ number: plus(block.number) }))),
  seen('header: another randomness', () => inBlock({ mixHash: HASH })),
  seen('header: no base fee', () => inBlock({ baseFeePerGas: null })),
  seen('header: the base fee as the blob gas', () =>
    inBlock((block) => ({ baseFeePerGas: null, blobGasUsed: block.baseFeePerGas })),
  ),
  seen('header: a field of a later fork', () => inBlock({ slotNumber: '0x1' })),
  ...Object.entries({
    'another uncles hash': { sha3Uncles: HASH },
    'another difficulty': { difficulty: '0x1' },
    'another gas limit': { gasLimit: '0x1' },
    'other extra data': { extraData: '0xab' },
    'another withdrawals root': { withdrawalsRoot: HASH },
    'more blob gas': { excessBlobGas: '0x20000' },
    'another beacon root': { parentBeaconBlockRoot: HASH },
  }).map(([what, change]) => seen(`header: ${what}`, () => inBlock(change))),
  seen('blocks: none', () => [{ kind: 'lying-null', methods: ['eth_getBlockByNumber'] }]),
  seen('blocks: an earlier one for each number', () =>
    custom((method, params, ask) => {
      const number = Number(params[0])
      const isNumber = method === 'eth_getBlockByNumber' && number > 1
      return ask(method, isNumber ? params.with(0, hex(number - 1)) : params)
    }),
  ),
  seen('branch: of its own', ({ head }) => [{ kind: 'forged-branch', from: head }]),
  seen('branch: of its own with a payment', ({ head, to, token }) => [
    { kind: 'forged-branch', from: head, pay: { to, token, amount: 900_000_000n } },
  ]),
  ...Object.entries(HEAD_LIES).map(([name, layer]) => seen(`heads: ${name}`, () => custom(layer))),
  seen('heads: the newest block as final', () => [{ kind: 'finality', at: 'latest' }]),
  seen('heads: no tag for the final block', () => [{ kind: 'finality', at: 'unknown' }]),
  seen('heads: the first block as the newest', () => custom(tagLayer('latest', (_, at) => at(1)))),
  seen('receipts: another status', () => [{ kind: 'forged-receipt', change: 'status' }]),
  seen('receipts: twice the amount', () => [{ kind: 'forged-receipt', change: 'amount' }]),
  seen('receipts: none', () => [{ kind: 'no-receipts' }]),
  seen('receipts: one twice', () => inReceipts((list) => [...list, ...list])),
  seen('receipts: more gas', () => eachReceipt({ cumulativeGasUsed: '0xffffff' })),
  seen('receipts: other gas of the transaction', () => eachReceipt({ gasUsed: '0x1' })),
  seen('receipts: another type', () => eachReceipt({ type: '0x1' })),
  seen('receipts: of another transaction', () => eachReceipt({ transactionHash: HASH })),
  seen('receipts: of another block', () => eachReceipt({ blockHash: HASH })),
  seen('receipts: an empty bloom', () => eachReceipt({ logsBloom: `0x${'00'.repeat(256)}` })),
  seen('logs: none', () => eachReceipt({ logs: [] })),
  seen('logs: another token', () => eachLog(() => ({ address: ADDRESS }))),
  seen('logs: another recipient', () =>
    eachLog(({ topics }) => ({ topics: (topics as unknown[]).with(2, HASH) })),
  ),
  seen('logs: another sender', () =>
    eachLog(({ topics }) => ({ topics: (topics as unknown[]).with(1, HASH) })),
  ),
  seen('logs: another amount', () => eachLog(({ data }) => ({ data: plus(data) }))),
  seen('logs: one topic more', () =>
    eachLog(({ topics }) => ({ topics: [...(topics as unknown[]), HASH] })),
  ),
  seen('logs: another position', () => eachLog(({ logIndex }) => ({ logIndex: plus(logIndex) }))),
  seen('logs: one that never was', ({ to, token }) => [
    { kind: 'forged-log', to, token, amount: 900_000_000n },
  ]),
  seen('transactions: more value', () => eachTransaction({ value: '0x64' })),
  seen('transactions: another recipient', () => eachTransaction({ to: ADDRESS })),
  seen('transactions: another nonce', () => eachTransaction({ nonce: '0x77' })),
  seen('transactions: another signature', () => eachTransaction({ r: '0x77' })),
  seen('transactions: no signature', () => eachTransaction({ r: '0x0', s: '0x0' })),
  seen('transactions: other input', () => eachTransaction({ input: '0xab' })),
  seen('transactions: another gas limit', () => eachTransaction({ gas: '0x77' })),
  seen('transactions: another fee', () =>
    eachTransaction({ gasPrice: '0x77', maxFeePerGas: '0x77' }),
  ),
  seen('transactions: an unknown type', () => eachTransaction({ type: '0x55' })),
  seen('transactions: none', () => inTransactions(() => [])),
  seen('transactions: one twice', () => inTransactions((list) => [...list, ...list])),
  seen('hash lists: hashes alone', () => inTransactions((list) => list.map((one) => one.hash))),
  seen('hash lists: an invented hash', () => eachTransaction({ hash: HASH })),
  seen('hash lists: invented hashes beside real receipts', ({ hash }) =>
    custom(renamedTransactionLayer(hash, HASH)),
  ),
  seen('chain id: of another chain', () => [{ kind: 'wrong-chain', chainId: 5 }]),
  harmless('transactions: another sender', () => eachTransaction({ from: ADDRESS })),
  harmless('look-ups: no transaction', () => [{ kind: 'lying-null' }]),
  harmless('look-ups: another block', () =>
    answers(/^eth_getTransactionReceipt$/, (found) => {
      const receipt = asJson(found)
      return receipt && { ...receipt, blockHash: HASH }
    }),
  ),
  harmless('balances: more', () => answers(/^eth_getBalance$/, (balance) => plus(balance, 1e9))),
  harmless('balances: no proof of them', () =>
    answers(/^eth_getProof$/, (proof) => ({ ...asJson(proof), accountProof: [] })),
  ),
  harmless('code: none', () => answers(/^eth_getCode$/, () => '0x')),
  harmless('calls: another result', () => [{ kind: 'forged-call', result: HASH }]),
  harmless('nonces: another count', () => answers(/^eth_getTransactionCount$/, () => '0x99')),
]
