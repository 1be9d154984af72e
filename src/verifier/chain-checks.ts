import { keccak_256 } from '@noble/hashes/sha3'
import { demand, fromHex, toWord } from './bytes.ts'
import { type ProvenHeader, readHeader } from './header.ts'
import { countKept, type Move, unloggedMoves, WITHDRAWAL_TOPIC, withoutOutflows } from './kept.ts'
import type { DonationProof } from './proof.ts'
import { type ProvenLog, type ProvenReceipt, readReceipt } from './receipt.ts'
import { type ProvenTransaction, readTransaction } from './transaction.ts'
import { type AccountState, indexKey, readAccount, trieValue } from './trie.ts'

/** The first topic of a Transfer log: keccak of `Transfer(address,address,uint256)` (EIP-20). */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Throws Refusal unless the header hashes to `block.hash` and has the number `block.number`. */
export const checkHeader = ({ block }: DonationProof): { value: ProvenHeader; why: string } => {
  const header = readHeader(block.header)
  demand(header.hash === block.hash, 'The header does not hash to the block hash.')
  demand(header.number === block.number, 'The header has another block number.')
  return { value: header, why: `The header of block ${block.number} hashes to ${block.hash}.` }
}

/** Throws Refusal unless the receiptsRoot proves the receipt, and the receipt shows success. */
export const checkReceipt = (
  proof: DonationProof,
  header: ProvenHeader,
): { value: ProvenReceipt; why: string } => {
  const bytes = trieValue(header.receiptsRoot, indexKey(proof.index), proof.receipt.map(fromHex))
  demand(bytes !== null, 'The block has no receipt at that index.')
  const receipt = readReceipt(bytes)
  demand(receipt.succeeded, 'The transaction was reverted.')
  return {
    value: receipt,
    why: `Receipt ${proof.index} is in the block's receiptsRoot and says that the transaction succeeded.`,
  }
}

/**
 * Throws Refusal unless the transactionsRoot proves the transaction at the receipt's index. A proof
 * without a transaction is allowed only for payments in logs. Then `value` is null.
 */
export const checkTransaction = (
  proof: DonationProof,
  header: ProvenHeader,
): { value: ProvenTransaction | null; why: string } => {
  if (proof.transaction === null) {
    demand(proof.donation.position >= 0, 'A native payment needs its transaction.')
    return {
      value: null,
      why: "The transaction's hash cannot be proven on this chain.",
    }
  }
  const nodes = proof.transaction.map(fromHex)
  const bytes = trieValue(header.transactionsRoot, indexKey(proof.index), nodes)
  demand(bytes !== null, 'The block has no transaction at that index.')
  const transaction = readTransaction(bytes)
  demand(transaction.hash === proof.donation.txHash, 'That index has another transaction.')
  const { chainId } = transaction
  demand(
    chainId === null || chainId === BigInt(proof.chainId),
    'The transaction was signed for another chain.',
  )
  return {
    value: transaction,
    why: `Transaction ${transaction.hash} is in the block's transactionsRoot at the same index.`,
  }
}

/**
 * Throws Refusal unless the payment at the donation's position has the donation's sender,
 * recipient, asset and amount. The receipt does not show a payment by a call, so `checkBalance`
 * must check its amount.
 *
 * @param countsAll true for a proven escrow; otherwise only the part that the account keeps counts
 */
export const checkPayment = (
  proof: DonationProof,
  receipt: ProvenReceipt,
  transaction: ProvenTransaction | null,
  countsAll = false,
): { why: string } => {
  const { donation } = proof
  const { account } = donation
  const paid = `${donation.amount} base units of ${donation.asset} to ${account}`
  if (donation.position >= 0) {
    const log = receipt.logs[donation.position]
    demand(log !== undefined, 'The receipt has no log at that position.')
    checkLog(proof, log)
    const moves = movesOf(receipt, log.address)
    const counts = countKept(countsAll ? withoutOutflows(moves, account) : moves, account)
    checkAmount(proof, counts[donation.position] ?? 0n, toWord(log.data))
    return { why: `Log ${donation.position} moves ${paid}.` }
  }
  demand(donation.asset === nativeOf(proof), "The asset is not the chain's own currency.")
  demand(transaction !== null, 'A native payment needs its transaction.')
  if (donation.position === -1) {
    demand(transaction.to === account, 'The transaction pays another account.')
    demand(transaction.sender() === donation.sender, 'The transaction has another signer.')
    const counts = keptOfValue(account, receipt, transaction, countsAll)
    checkAmount(proof, counts, transaction.value)
    return { why: `The transaction carries ${paid}, signed by ${donation.sender}.` }
  }
  demand(donation.sender === null, 'The sender of a payment by a call cannot be proven.')
  demand(proof.balance !== null, 'A payment by a call needs the balances around it.')
  return { why: `The service says that the transaction paid ${paid} by a call: see the balance.` }
}

const checkLog = (proof: DonationProof, log: ProvenLog): void => {
  const { donation } = proof
  const [topic, first, second, ...more] = log.topics
  demand(log.address === tokenOf(proof), 'The log was written by another contract than the asset.')
  demand(topic === TRANSFER && more.length === 0, 'The log is not a Transfer.')
  demand(addressOf(first) === donation.sender, 'The log names another sender.')
  demand(addressOf(second) === donation.account, 'The log names another recipient.')
}

/** Demands that the donation's amount is `counts`, the part of `moved` that the account keeps. */
const checkAmount = ({ donation }: DonationProof, counts: bigint, moved: bigint): void => {
  const amount = BigInt(donation.amount)
  demand(
    counts === moved || amount !== moved,
    `Only ${counts} of ${moved} counts: the rest left the account in the same transaction.`,
  )
  demand(amount === counts, 'The payment is of another amount.')
}

/**
 * Lists the moves of `token`. The first items match the logs one by one, with null for a log that
 * is no move. Then follow the moves that no Transfer log shows (see `unloggedMoves`).
 */
const movesOf = ({ logs }: ProvenReceipt, token: string): (Move | null)[] => {
  const moves = logs.map((log) => {
    const [topic, first, second, ...more] = log.topics
    if (log.address !== token || topic !== TRANSFER || more.length > 0) return null
    if (!isAddress(first) || !isAddress(second) || log.data.length !== 32) return null
    return { sender: addressOf(first), recipient: addressOf(second), amount: toWord(log.data) }
  })
  const withdrawn = logs.flatMap(({ address, topics: [topic, first, ...more], data }) => {
    if (address !== token || topic !== WITHDRAWAL_TOPIC || more.length > 0) return []
    if (!isAddress(first) || data.length !== 32) return []
    return [{ sender: addressOf(first), amount: toWord(data) }]
  })
  return [...moves, ...unloggedMoves(moves, withdrawn)]
}

/** Chains with EIP-7708 log each native payment as a Transfer from this contract address. */
const NATIVE_LOG = '0xfffffffffffffffffffffffffffffffffffffffe'

/**
 * The part of a transaction's value that the account keeps. If the chain logs native payments
 * (EIP-7708), the payments from the account are subtracted. The value's own log is left out.
 */
const keptOfValue = (
  account: string,
  receipt: ProvenReceipt,
  transaction: ProvenTransaction,
  countsAll: boolean,
): bigint => {
  const own = { sender: transaction.sender(), recipient: account, amount: transaction.value }
  const logged = movesOf(receipt, NATIVE_LOG)
  const at = logged.findIndex((move) => move !== null && isSame(move, own))
  const moves = [own, ...logged.filter((_, index) => index !== at)]
  return countKept(countsAll ? withoutOutflows(moves, account) : moves, account)[0] ?? 0n
}

const isSame = (move: Move, other: Move): boolean =>
  move.sender === other.sender && move.recipient === other.recipient && move.amount === other.amount

const nativeOf = ({ chainId }: DonationProof): string => `eip155:${chainId}/slip44:60`

const tokenOf = ({ chainId, donation }: DonationProof): string => {
  const prefix = `eip155:${chainId}/erc20:`
  demand(donation.asset.startsWith(prefix), 'The asset belongs to another chain.')
  return donation.asset.slice(prefix.length)
}

const addressOf = (topic: string | undefined): string => {
  demand(isAddress(topic), 'A topic is not an address.')
  return `0x${topic.slice(26)}`
}

const isAddress = (topic: string | undefined): topic is string =>
  topic?.startsWith(`0x${'0'.repeat(24)}`) === true

/** Throws Refusal unless the account's balance rises in the block by at least the amount. */
export const checkBalance = (proof: DonationProof, header: ProvenHeader): { why: string } => {
  const { block, balance, donation } = proof
  demand(block.parentHeader !== null && balance !== null, 'The balances around it are missing.')
  const parent = readHeader(block.parentHeader)
  demand(parent.hash === header.parentHash, 'The parent header belongs to another block.')
  const key = keccak_256(fromHex(donation.account))
  const read = (root: string, nodes: readonly string[]): AccountState =>
    readAccount(trieValue(root, key, nodes.map(fromHex)))
  const after = read(header.stateRoot, balance.after)
  const rise = after.balance - read(parent.stateRoot, balance.before).balance
  demand(rise >= BigInt(donation.amount), "The account's balance did not rise by the amount.")
  return { why: `The account's balance rose by ${rise} base units in the block.` }
}

/**
 * Throws Refusal unless a payment by a contract call has balances, and any other payment has none.
 */
export const checkExtent = (proof: DonationProof): void => {
  const byCall = proof.donation.position < -1
  demand(
    (proof.balance !== null) === byCall && (proof.block.parentHeader !== null) === byCall,
    'Only payments by calls have balances.',
  )
}
