import { z } from 'zod'
import { refundRoot } from '../chain/escrow/merkle.ts'
import type { RefundLeaf } from '../db/schema/escrow.ts'
import { REFUND_RULE } from '../domain/escrow/refund/index.ts'
import { NATIVE_ASSET } from '../kernel/escrow-event.ts'
import { command, parseOptions, readText } from './command.ts'
import { member, openNode, parseJson, Unchecked } from './one-node.ts'
import {
  MAX_SHOWN,
  type Proposal,
  readBlock,
  readEvents,
  readTerms,
  recomputeRefunds,
} from './recompute-refunds.ts'

/**
 * `npm run verify-refunds -- --rpc URL --escrow ADDRESS`: computes the refund root of an escrow
 * from one node, and compares it with the proposed root and with a file. Reads no database. Exit
 * codes:
 * - 0: the roots are equal
 * - 1: a root differs, or the file has other leaves
 * - 2: it could not be checked, for example because the node does not answer
 */
const USAGE = `npm run verify-refunds -- --rpc URL --escrow ADDRESS

  --rpc URL        a node that you trust, with all logs and states since the escrow's first
                   payment (an archive node)
  --escrow 0x…     the account of the campaign
  --file FILE      the answer of GET /api/campaigns/<id>/refunds; - for the standard input
  --chain ID       the id of the chain, to be sure of the node
  --block 0x…      the hash of the last block to count; default: as the root or the file names it
  --asset 0x…      another token that the root counts; may be given several times
  --from NUMBER    the first block to read; default 0`

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const HASH = /^0x[0-9a-fA-F]{64}$/

const Address = z.string().regex(ADDRESS).toLowerCase()
const Hash = z.string().regex(HASH).toLowerCase()
const Leaf = z.object({
  ...{ asset: Address, donor: Address, amount: z.string().regex(/^\d{1,78}$/) },
  transactions: z.array(z.string()).exactOptional(),
})
const RefundsFile = z.object({
  assets: z.array(Address).default([]),
  root: z.object({ root: Hash, dataHash: Hash, index: z.coerce.number(), leaves: z.array(Leaf) }),
})
type RefundsFile = z.output<typeof RefundsFile>['root'] & { assets: string[] }

const readOptions = (words: readonly string[]) => {
  const text = { type: 'string' } as const
  const options = {
    ...{ rpc: text, escrow: text, file: text, chain: text, block: text, from: text },
    asset: { ...text, multiple: true },
  } as const
  const { values } = parseOptions({ args: [...words], options }, USAGE)
  const { rpc, escrow, file, chain, block, from = '0', asset = [] } = values
  if (rpc === undefined || escrow === undefined) throw new Unchecked(USAGE)
  for (const address of [escrow, ...asset]) {
    if (!ADDRESS.test(address)) throw new Unchecked(`${address} is not an address.\n\n${USAGE}`)
  }
  if (block !== undefined && !HASH.test(block)) throw new Unchecked(`${block} is not a hash.`)
  if (!/^\d{1,15}$/.test(from)) throw new Unchecked(`--from ${from} is not a block number.`)
  return {
    ...{ rpc, file, chain },
    block: block?.toLowerCase(),
    fromBlock: Number(from),
    escrow: escrow.toLowerCase(),
    assets: asset.map((address) => address.toLowerCase()),
  }
}

const main = async (words: readonly string[]): Promise<number> => {
  const { rpc, escrow, chain, fromBlock, ...options } = readOptions(words)
  const file = options.file === undefined ? undefined : readRefundsFile(options.file)
  const node = openNode(rpc)
  const chainId = String(Number(await node.call('eth_chainId', [])))
  if (chain !== undefined && chain !== chainId) {
    throw new Unchecked(`${node.host} is a node of chain ${chainId}, not of chain ${chain}.`)
  }
  const terms = await readTerms(node, escrow)
  const head = Number(await node.call('eth_blockNumber', []))
  const events = await readEvents(node, escrow, { from: fromBlock, to: head })
  const proposals = events.flatMap(({ kind, fields }) => (kind === 'RootProposed' ? [fields] : []))
  const proposed = file
    ? proposals.find(({ index }) => index === file.index)
    : proposals[proposals.length - 1]
  const cutoff = options.block ?? file?.dataHash ?? proposed?.dataHash
  if (cutoff === undefined) {
    throw new Unchecked('No root is proposed. Name a --file, or the last --block to count.')
  }
  const { leaves, unlisted, notes } = await recomputeRefunds(node, {
    ...{ escrow, events, fromBlock },
    asset: terms.asset,
    milestones: terms.milestones.length,
    assets: [...options.assets, ...(file?.assets ?? [])].filter((one) => one !== NATIVE_ASSET),
    block: await readBlock(node, cutoff),
    nativeTransactions: (file?.leaves ?? [])
      .filter(({ asset }) => asset === NATIVE_ASSET)
      .flatMap(({ transactions = [] }) => transactions),
  })
  const root = leaves.length === 0 ? null : await refundRoot(leaves)
  print(root, leaves, notes)
  const differences = [
    ...(file ? differencesOf(file, root, leaves) : []),
    ...(proposed ? differenceOfProposal(proposed, root, cutoff) : []),
  ]
  if (!file && unlisted > 0n && differences.length > 0) {
    throw new Unchecked('The root differs. It may count the native coin, so name a --file.')
  }
  for (const difference of differences) console.log(`FAILED ${difference}`)
  if (differences.length > 0) return 1
  if (file) console.log('ok     The file has this root and these leaves.')
  if (proposed) console.log(`ok     Proposal ${proposed.index} on the chain has this root.`)
  else console.log('       The chain has no proposal with this index.')
  return file || proposed ? 0 : 2
}

const print = (root: string | null, leaves: readonly RefundLeaf[], notes: string[]): void => {
  console.log(`rule   ${REFUND_RULE}`)
  const byAsset = Map.groupBy(leaves, ({ asset }) => asset)
  for (const [asset, some] of byAsset) {
    const sum = some.reduce((all, { amount }) => all + BigInt(amount), 0n)
    console.log(`asset  ${asset} ${some.length} donors, ${sum} base units`)
  }
  console.log(root === null ? 'root   none: no plain transfer gets a refund' : `root   ${root}`)
  for (const note of notes) console.log(`note   ${note}`)
}

const differenceOfProposal = (
  proposed: Proposal,
  root: string | null,
  cutoff: string,
): string[] => [
  ...(proposed.root === root
    ? []
    : [`Proposal ${proposed.index} on the chain has the root ${proposed.root}.`]),
  ...(proposed.dataHash === cutoff
    ? []
    : [`Proposal ${proposed.index} counts up to the block ${proposed.dataHash}.`]),
]

const differencesOf = (
  file: RefundsFile,
  root: string | null,
  leaves: readonly RefundLeaf[],
): string[] => {
  const keyOf = ({ asset, donor }: RefundLeaf): string => `${asset} ${donor}`
  const expected = new Map(leaves.map((leaf) => [keyOf(leaf), leaf.amount]))
  const stated = new Map(file.leaves.map((leaf) => [keyOf(leaf), leaf.amount]))
  const wrong = [...new Set([...expected.keys(), ...stated.keys()])].filter(
    (key) => expected.get(key) !== stated.get(key),
  )
  const shown = wrong
    .slice(0, MAX_SHOWN)
    .map(
      (key) =>
        `The file gives ${stated.get(key) ?? 0} for ${key}, the chain ${expected.get(key) ?? 0}.`,
    )
  const more = wrong.length - shown.length
  return [
    ...(file.root === root ? [] : [`The file has the root ${file.root}.`]),
    ...shown,
    ...(stated.size === file.leaves.length ? [] : ['The file names a donor twice.']),
    ...(more > 0 ? [`${more} more leaves differ.`] : []),
  ]
}

const readRefundsFile = (path: string): RefundsFile => {
  const parsed = parseJson(readText(path), path)
  const rule = member(parsed, 'rule')
  if (rule !== undefined && rule !== REFUND_RULE) {
    throw new Unchecked(
      `${path} follows the rule ${String(rule)}. This version has ${REFUND_RULE}.`,
    )
  }
  const { data, error } = RefundsFile.safeParse(parsed)
  if (data) return { ...data.root, assets: data.assets }
  const where = error.issues[0]?.path.join('.')
  throw new Unchecked(
    `${path} is not an answer of GET /api/campaigns/<id>/refunds with a root: see ${where}.`,
  )
}

/** Runs `npm run verify-refunds`. Returns the exit code. */
export const run = command(USAGE, 2, main)

if (import.meta.main) process.exitCode = await run(process.argv.slice(2))
