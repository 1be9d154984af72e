import {
  type Block,
  type CallFrame,
  type ChainTransaction,
  nonceUser,
  outflowsIn,
  type Receipt,
  recoverSender,
  traceKey,
} from '../../../src/chain/index.ts'

/** A block as those read it who follow the chain: of a node's own object only what is proven. */
export const factsOf = (block: Block): object => ({
  ...block,
  transactions: block.transactions.map((transaction) => {
    const { raw: _, ...proven } = transaction
    return { ...proven, ...signedFacts(block, transaction) }
  }),
})

/** No root covers these two fees, and nothing is credited by them. */
export const provenPartOf = ({ l1Fee: _, blobGasPrice: __, ...proven }: Receipt): object => proven

/** All that is ever read off a trace. */
export const movesOf = (frame: CallFrame | null): string | null => frame && traceKey(frame)

/** To recover a sender takes 2 ms, so that of one object is recovered once. */
const known = new Map<string, object>()

/** What is read off a transaction's own fields: who signed it, its nonce, and what it cost. */
const signedFacts = (block: Block, transaction: ChainTransaction): object => {
  const key = JSON.stringify(transaction.raw)
  const facts = known.get(key) ?? readSigned(block, transaction)
  known.set(key, facts)
  return facts
}

/** Of Arbitrum and Polygon: they name no sender. */
const UNSIGNED = new Set([0x6a, 0x7f])
const LAST_SIGNED = 4
const HIGHEST_NONCE = 100

const readSigned = (block: Block, transaction: ChainTransaction): object => {
  const { raw, hash } = transaction
  const type = Number(raw?.type ?? 0)
  if (UNSIGNED.has(type)) return {}
  const sender = recoverSender(transaction)
  if (type > LAST_SIGNED) return { sender }
  // `from` is the node's word: the proven balances of an account show that it was wrong.
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
