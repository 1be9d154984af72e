import { encodeRlp, id, keccak256, Transaction, Wallet } from 'ethers'
import { headerHash } from './faults/encode.ts'

/** A time before Byzantium, which began on 16 October 2017. */
const TIMESTAMP = 1_500_000_000
const GAS = 21_000
const EMPTY_BLOOM = `0x${'00'.repeat(256)}`

/**
 * A block with one transfer from before Byzantium in the form of a node: the receipt has the state
 * root after the transaction, and no status (EIP-658).
 */
export const blockBeforeByzantium = async (number: number, to: string) => {
  const wallet = new Wallet(id('an early donor'))
  const encoded = await wallet.signTransaction({
    ...{ type: 0, nonce: 0, gasPrice: 5, gasLimit: GAS, to, value: 7 },
  })
  const { signature } = Transaction.from(encoded)
  const root = id('state after the transaction')
  const gasUsed = `0x${GAS.toString(16)}`
  const txHash = keccak256(encoded)
  const header = {
    parentHash: id('parent'),
    sha3Uncles: id('uncles'),
    miner: id('miner').slice(0, 42),
    stateRoot: id('state'),
    transactionsRoot: rootOfOne(encoded),
    receiptsRoot: rootOfOne(encodeRlp([root, gasUsed, EMPTY_BLOOM, []])),
    logsBloom: EMPTY_BLOOM,
    difficulty: '0x1',
    number: `0x${number.toString(16)}`,
    gasLimit: gasUsed,
    gasUsed,
    timestamp: `0x${TIMESTAMP.toString(16)}`,
    extraData: '0x',
    mixHash: id('mix'),
    nonce: '0x0000000000000001',
  }
  const hash = headerHash(header)
  const place = { blockHash: hash, blockNumber: header.number, transactionIndex: '0x0' }
  const transaction = {
    ...{ ...place, hash: txHash, type: '0x0', nonce: '0x0', gasPrice: '0x5', gas: gasUsed },
    ...{ to, value: '0x7', input: '0x', from: wallet.address.toLowerCase() },
    v: `0x${(signature?.v ?? 0).toString(16)}`,
    r: signature?.r,
    s: signature?.s,
  }
  const receipt = {
    ...{ ...place, transactionHash: txHash, root, gasUsed, cumulativeGasUsed: gasUsed },
    ...{ logsBloom: EMPTY_BLOOM, logs: [] },
  }
  return {
    ...{ hash, txHash, from: transaction.from, receipt },
    block: { ...header, hash, transactions: [transaction] },
  }
}

/** The root of a trie with a single entry at index 0, which is a leaf with the path 0x80. */
const rootOfOne = (value: string): string => keccak256(encodeRlp(['0x2080', value]))
