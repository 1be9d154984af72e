import { agreeOnHashes } from '../blocks/agreed-lists.ts'
import { missing } from '../blocks/read-header.ts'
import { readWithEncodings, withKnownEncoding } from '../blocks/state-sync-encodings.ts'
import type { BalanceEvidence, BlockEvidence, EvidenceRequest } from '../client-interface.ts'
import { proveHeader } from '../encoding/header.ts'
import { proveInclusions } from '../encoding/inclusion.ts'
import { toHex } from '../encoding/keccak.ts'
import type { ProofTools } from '../encoding/tools.ts'
import { expectProof } from '../encoding/transactions.ts'
import { ChainError } from '../errors.ts'
import { type RpcCall, type RpcReply, resultOf } from '../rpc/json-rpc.ts'
import type { NodePool } from '../rpc/pool.ts'
import { readObject } from '../rpc/read.ts'
import { proveAccountPath } from '../state/state-proof.ts'
import type { Hash, Proof } from '../types.ts'

/**
 * Reads a block in one batch and proves the requested transactions. If the request has accounts, a
 * second batch proves their balances. Throws ChainError if no node gives a proven answer.
 *
 * @param expected the proof that blocks of this chain must have
 */
export const readEvidence = async (
  pool: NodePool,
  { keccak, writer }: ProofTools,
  expected: Proof,
  { blockHash, txHashes, accounts }: EvidenceRequest,
): Promise<BlockEvidence> => {
  const tools = { keccak, writer }
  const calls = [
    { method: 'eth_getBlockByHash', params: [blockHash, true] },
    { method: 'eth_getBlockReceipts', params: [blockHash] },
  ]
  const read = await readWithEncodings(pool, tools, (encodings, lacks) =>
    pool.ask(calls, ([block, receipts], node) => {
      const rawBlock = resultOf(block, node)
      const rawReceipts = resultOf(receipts, node)
      if (rawBlock === null || rawReceipts === null) throw missing(`block ${blockHash}`)
      const isWhole = !lacks([rawBlock], node)
      const whole = withKnownEncoding(readObject(rawBlock, 'block'), encodings)
      const found = proveInclusions(whole, rawReceipts, new Set(txHashes), tools)
      if (found.block.hash !== blockHash) {
        throw new ChainError('header_forged', 'The node sent a block with another hash.')
      }
      if (isWhole) expectProof(found.block, expected)
      return { ...found, node }
    }),
  )
  const { block, header, inclusions, node } = read
  const [agreed] = await agreeOnHashes(pool, tools, { node, blocks: [block] })
  if (agreed !== block) {
    throw new ChainError('wrong_hash', `${node} shows other transactions than the quorum.`)
  }
  const evidence = { number: block.number, header, inclusions }
  if (accounts.length === 0) return { ...evidence, parentHeader: null, balances: new Map() }
  const around = await pool.ask(balanceCalls(block, accounts), ([parent, ...proofs], node) => {
    const raw = resultOf(parent, node)
    if (raw === null) throw missing(`block ${block.parentHash}`)
    const before = proveHeader(readObject(raw, 'block'), tools)
    const parentHeader = toHex(writer.view(0))
    if (before.hash !== block.parentHash) {
      throw new ChainError('header_forged', 'The node sent a block with another hash.')
    }
    const nodesOf = (root: Hash, account: string, reply: RpcReply | undefined): string[] => {
      return proveAccountPath(root, account, resultOf(reply, node), tools).nodes.map(toHex)
    }
    const balances = new Map(
      accounts.map((account, index): [string, BalanceEvidence] => [
        account,
        {
          after: nodesOf(block.stateRoot, account, proofs[2 * index]),
          before: nodesOf(before.stateRoot, account, proofs[2 * index + 1]),
        },
      ]),
    )
    return { parentHeader, balances }
  })
  return { ...evidence, ...around }
}

const balanceCalls = (
  block: { number: number; parentHash: Hash },
  accounts: readonly string[],
): RpcCall[] => [
  { method: 'eth_getBlockByHash', params: [block.parentHash, false] },
  ...accounts.flatMap((account) =>
    [block.number, block.number - 1].map((number) => ({
      method: 'eth_getProof',
      params: [account, [], `0x${number.toString(16)}`],
    })),
  ),
]
