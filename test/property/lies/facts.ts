import { recoverSender } from '../../../src/chain/encoding/sender.ts'
import {
  type Block,
  type CallFrame,
  type ChainTransaction,
  nonceUser,
  outflowsIn,
  type Receipt,
  traceKey,
} from '../../../src/chain/index.ts'

/** The parts of a block that the sync uses, without the raw transactions, which are not proven. */
export const factsOf = (block: Block): object => ({
  ...block,
  transactions: block.transactions.map((transaction) => {
    const { raw: _, ...proven } = transaction
    return { ...proven, ...signedFacts(block, transaction) }
  }),
})

/** A receipt without the fees that no root covers. No credit depends on those fees. */
export const provenPartOf = (receipt: Receipt): object => {
  const { l1Fee: _, blobGasPrice: __, operatorFee: ___, ...proven } = receipt
  return proven
}

/** The movements of money, because no other part of a trace is used. */
export const movesOf = (frame: CallFrame | null): string | null => frame && traceKey(frame)

/** A cache, because recovering a sender takes 2 ms. */
const known = new Map<string, object>()

/** The facts that come from the fields of a transaction: its signer, its nonce, its cost. */
const signedFacts = (block: Block, transaction: ChainTransaction): object => {
  const key = JSON.stringify(transaction.raw)
  const facts = known.get(key) ?? readSigned(block, transaction)
  known.set(key, facts)
  return facts
}

/** Transaction types of Arbitrum and Polygon without a sender. */
const UNSIGNED = new Set([0x6a, 0x7f])
const LAST_SIGNED = 4
const HIGHEST_NONCE = 100

const readSigned = (block: Block, transaction: ChainTransaction): object => {
  const { raw, hash } = transaction
  const type = Number(raw?.type ?? 0)
  if (UNSIGNED.has(type)) return {}
  const sender = recoverSender(transaction)
  if (type > LAST_SIGNED) return { sender }
  // `from` is only the node's claim. The proven balances of the account show a wrong claim.
  const alone = { ...block, transactions: [{ ...transaction, raw: { ...raw, from: sender } }] }
  const receipt = { txHash: hash, succeeded: true, logs: [], gasUsed: 21_000 }
  const watch = { accounts: new Set([sender]), tokens: new Set<string>() }
  const nonces = Array.from({ length: HIGHEST_NONCE }, (_, nonce) => nonce)
  return {
    sender,
    nonce: nonces.find((nonce) => nonceUser(alone, sender, nonce)),
    outflows: outflowsIn(alone, [receipt], watch),
  }
}
