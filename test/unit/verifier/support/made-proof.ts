import { generateKeyPairSync, sign } from 'node:crypto'
import { encodeRlp, keccak256, Transaction, toBeHex, Wallet } from 'ethers'
import { proveInclusions } from '../../../../src/chain/encoding/inclusion.ts'
import { toHex } from '../../../../src/chain/encoding/keccak.ts'
import { orderedTrieRoot } from '../../../../src/chain/encoding/ordered-trie.ts'
import { writeReceipt } from '../../../../src/chain/encoding/receipts.ts'
import { createProofTools, type ProofTools } from '../../../../src/chain/encoding/tools.ts'
import { writeTransaction } from '../../../../src/chain/encoding/transaction.ts'
import { merklePath, merkleRoot } from '../../../../src/domain/books/seal/merkle.ts'
import {
  type DonationProof,
  globalHeadHash,
  headHash,
  leafHash,
  NO_HEAD,
  type SealedLeaf,
  signedHead,
  type Trust,
  thumbprint,
} from '../../../../src/verifier/index.ts'

/**
 * The kind of payment in a made proof. Its block has 40 transactions, of which one pays the
 * campaign.
 */
export type Kind = 'token' | 'native' | 'call'

const CHAIN_ID = 5
const ACCOUNT = `0x${'ac'.repeat(20)}`
const TOKEN = `0x${'70'.repeat(20)}`
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const AMOUNT = 25_000_000n
const PAYING = 17
const TRANSACTIONS = 40
const DONATION = '01900000-0000-7000-8000-00000000000d'
const CAMPAIGN = '01900000-0000-7000-8000-00000000000c'
const WALLET = new Wallet(`0x${'11'.repeat(32)}`)
const SENDER = WALLET.address.toLowerCase()

type Raw = Record<string, unknown>

const hex = (value: number | bigint): string => `0x${value.toString(16)}`
const word = (value: bigint | string): string => toBeHex(BigInt(value), 32)
const data = (value: bigint): string => (value === 0n ? '0x' : toBeHex(value))

const rawTransaction = (index: number, kind: Kind): Raw => {
  const pays = index === PAYING && kind === 'native'
  const unsigned = Transaction.from({
    type: index % 3,
    chainId: CHAIN_ID,
    nonce: index,
    gasLimit: 100_000,
    to: pays ? ACCOUNT : TOKEN,
    value: pays ? AMOUNT : 0n,
    data: index % 2 === 0 ? `0x${'ab'.repeat(68)}` : '0x',
    ...(index % 3 === 2 ? { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n } : { gasPrice: 7n }),
    ...(index % 3 === 0 ? {} : { accessList: [{ address: TOKEN, storageKeys: [word(1n)] }] }),
  })
  unsigned.signature = WALLET.signingKey.sign(unsigned.unsignedHash)
  const { signature } = unsigned
  const parity = signature?.yParity ?? 0
  return {
    hash: unsigned.hash,
    type: hex(unsigned.type ?? 0),
    chainId: hex(CHAIN_ID),
    nonce: hex(index),
    gas: hex(100_000),
    gasPrice: hex(7),
    maxFeePerGas: hex(9),
    maxPriorityFeePerGas: hex(1),
    to: unsigned.to?.toLowerCase(),
    value: hex(unsigned.value),
    input: unsigned.data,
    accessList: [{ address: TOKEN, storageKeys: [word(1n)] }],
    from: SENDER,
    v: hex(index % 3 === 0 ? 35 + 2 * CHAIN_ID + parity : parity),
    yParity: hex(parity),
    r: hex(BigInt(signature?.r ?? 0)),
    s: hex(BigInt(signature?.s ?? 0)),
  }
}

const rawReceipt = (index: number, transaction: Raw, place: Raw, logIndex: number): Raw => {
  const here = { ...place, transactionHash: transaction.hash, transactionIndex: hex(index) }
  const log = (to: string, amount: bigint, at: number) => ({
    ...here,
    address: TOKEN,
    topics: [TRANSFER, word(SENDER), word(to)],
    data: word(amount),
    logIndex: hex(logIndex + at),
  })
  return {
    ...here,
    type: transaction.type,
    status: '0x1',
    cumulativeGasUsed: hex(50_000 * (index + 1)),
    gasUsed: hex(50_000),
    logsBloom: `0x${'00'.repeat(256)}`,
    logs:
      index === PAYING
        ? [log(TOKEN, 1n, 0), log(ACCOUNT, AMOUNT, 1)]
        : [log(TOKEN, BigInt(index), 0)],
  }
}

/** A state trie with one account: its root is its only leaf. */
const stateOf = (balance: bigint): { root: string; nodes: string[] } => {
  const account = encodeRlp(['0x', data(balance), word(1n), word(2n)])
  const leaf = encodeRlp([`0x20${keccak256(ACCOUNT).slice(2)}`, account])
  return { root: keccak256(leaf), nodes: [leaf] }
}

const headerOf = (number: number, parentHash: string, roots: Record<string, string>): Raw => ({
  parentHash,
  sha3Uncles: word(3n),
  miner: TOKEN,
  stateRoot: roots.state ?? word(4n),
  transactionsRoot: roots.transactions ?? word(5n),
  receiptsRoot: roots.receipts ?? word(6n),
  logsBloom: `0x${'00'.repeat(256)}`,
  difficulty: '0x0',
  number: hex(number),
  gasLimit: hex(30_000_000),
  gasUsed: hex(2_000_000),
  timestamp: hex(1_800_000_000 + number),
  extraData: '0x00ff',
  mixHash: word(7n),
  nonce: `0x${'00'.repeat(8)}`,
  baseFeePerGas: '0x7',
})

const QUANTITIES = ['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas']

const rlpOf = (header: Raw): string =>
  encodeRlp(
    Object.entries(header).map(([name, value]) =>
      QUANTITIES.includes(name) ? data(BigInt(String(value))) : String(value),
    ),
  )

const rootOf = (raws: Raw[], tools: ProofTools, write: (raw: Raw) => void): string => {
  tools.writer.rewind(0)
  return toHex(
    orderedTrieRoot(raws.length, tools.writer, tools.keccak, (index) => write(raws[index] ?? {})),
  )
}

const makeBlock = async (kind: Kind) => {
  const tools = await createProofTools()
  const before = stateOf(5n)
  const after = stateOf(5n + AMOUNT)
  const parent = rlpOf(headerOf(99, word(8n), { state: before.root }))
  const transactions = Array.from({ length: TRANSACTIONS }, (_, at) => rawTransaction(at, kind))
  const make = (place: Raw) => {
    let logs = 0
    return transactions.map((transaction, index) => {
      const receipt = rawReceipt(index, transaction, place, logs)
      logs += (receipt.logs as unknown[]).length
      return receipt
    })
  }
  const header = headerOf(100, keccak256(parent), {
    state: after.root,
    transactions: rootOf(transactions, tools, (raw) => writeTransaction(tools.writer, raw)),
    receipts: rootOf(make({}), tools, (raw) => writeReceipt(tools.writer, raw)),
  })
  const hash = keccak256(rlpOf(header))
  const receipts = make({ blockHash: hash, blockNumber: hex(100) })
  const txHash = String(transactions[PAYING]?.hash)
  const block = { ...header, hash, transactions }
  const proven = proveInclusions(block, receipts, new Set([txHash]), tools)
  const inclusion = proven.inclusions.get(txHash)
  if (!inclusion) throw new Error('The block does not hold the transaction.')
  return { header: proven.header, hash, parent, before, after, inclusion, txHash }
}

export const makeProof = async (kind: Kind): Promise<{ proof: DonationProof; trust: Trust }> => {
  const { header, hash, parent, before, after, inclusion, txHash } = await makeBlock(kind)
  const position = kind === 'token' ? 1 : kind === 'native' ? -1 : -2
  const asset = kind === 'token' ? `eip155:5/erc20:${TOKEN}` : 'eip155:5/slip44:60'
  const leaf = (id: number, changes: Partial<SealedLeaf> = {}): SealedLeaf => ({
    id,
    kind: 'donation',
    debit: 'custody',
    credit: 'exchange',
    campaignId: CAMPAIGN,
    asset,
    amount: AMOUNT.toString(),
    donationId: DONATION,
    transfer: { chainId: CHAIN_ID, txHash, position, recipient: ACCOUNT },
    generation: 0,
    block: { number: 100, hash },
    milestoneId: null,
    reverses: null,
    createdAt: '2027-01-15T08:00:00.000Z',
    ...changes,
  })
  const others = [1, 2, 3, 4, 5].map((id) => leaf(id, { donationId: null, amount: String(id) }))
  const credit = leaf(6)
  const conversion = leaf(7, {
    kind: 'conversion',
    debit: 'exchange',
    credit: 'held',
    asset: 'iso4217:USD',
    amount: '2500000000',
  })
  const sealed = [...others, credit, conversion]
  const leaves = sealed.map(leafHash)
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const jwk = { kty: 'OKP', crv: 'Ed25519', x } as const
  const seal = {
    seq: 3,
    previousHead: word(9n),
    root: merkleRoot(leaves),
    entries: leaves.length,
    totalEntries: 30,
    sealedAt: '2027-01-15T08:00:02.000Z',
  }
  const head = headHash({ ...seal, campaignId: CAMPAIGN })
  const globalHead = globalHeadHash(NO_HEAD, head)
  const message = signedHead({ campaignId: CAMPAIGN, seq: seal.seq, head, globalHead })
  const signature = sign(null, message, privateKey).toString('base64url')
  const kid = thumbprint(jwk)
  const entryOf = (entry: SealedLeaf, at: number) => ({
    ...entry,
    seal: seal.seq,
    position: at,
    path: merklePath(leaves, at),
  })
  const byCall = kind === 'call'
  const proof: DonationProof = {
    version: 1,
    chainId: CHAIN_ID,
    donation: {
      id: DONATION,
      campaignId: CAMPAIGN,
      account: ACCOUNT,
      asset,
      amount: AMOUNT.toString(),
      sender: byCall ? null : SENDER,
      txHash,
      position,
    },
    block: { number: 100, hash, header, parentHeader: byCall ? parent : null },
    index: inclusion.index,
    receipt: inclusion.receipt,
    transaction: inclusion.transaction,
    balance: byCall ? { after: after.nodes, before: before.nodes } : null,
    ledger: {
      entries: [entryOf(credit, 5), entryOf(conversion, 6)],
      seals: [{ ...seal, head, previousGlobalHead: NO_HEAD, globalHead, keyId: kid, signature }],
      keys: [{ ...jwk, kid }],
    },
  }
  const trust: Trust = {
    headers: async () => [{ source: 'a node', hash }],
    keys: [jwk],
    accept: ['transaction', 'balance'],
  }
  return { proof, trust }
}
