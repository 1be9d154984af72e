import {
  hashFromCheckpoint,
  readArchive,
  readCheckpoint,
} from '../../../src/verifier/consensus/index.ts'
import {
  type DonationProof,
  type HeaderAnswer,
  type Level,
  type VerificationResult,
  verifyProof as verify,
} from '../../../src/verifier/index.ts'

export type { Check, DonationProof, HeaderAnswer, Level } from '../../../src/verifier/index.ts'
export type { VerificationResult }

type Block = { chainId: number; number: number }

/** The sources that you trust, and the least that a proof must show. */
export type VerifyOptions = {
  /** The keys of the service: `(await fundproof.system.signingKeys()).keys`, kept from earlier. */
  keys?: readonly object[] | undefined
  /** The JSON-RPC addresses of nodes that you trust. All must know the block of the donation. */
  nodes?: readonly string[] | undefined
  /**
   * The root of a final beacon block that you trust, for a proof with `finality`: then the sync
   * committee of the chain names the block, and no node is asked. Needs `updates`, except with the
   * root of the proof's own final block.
   */
  checkpoint?: string | undefined
  /** The answer of `fundproof.donations.finalityUpdates(chainId, { from: checkpoint })`. */
  updates?: unknown
  /** Another source of block hashes, in place of nodes. */
  headers?: ((block: Block) => Promise<readonly HeaderAnswer[]>) | undefined
  /** The levels that you accept. Default: only `transaction`. */
  accept?: readonly Level[] | undefined
}

const TIMEOUT_MS = 20_000

/**
 * Checks the proof of a donation without the service: the chain by your own nodes, and the ledger
 * by the keys of the service. Never throws. `ok` says whether the donation is proven, and `checks`
 * why or why not. Runs in browsers too.
 *
 * @example
 * const proof = await fundproof.donations.proof(id)
 * const { ok, checks } = await verifyProof(proof, { keys, nodes: ['https://node.example.org'] })
 */
export const verifyProof = (
  proof: unknown,
  options: VerifyOptions,
): Promise<VerificationResult> => {
  const { keys, nodes = [], checkpoint, updates, headers, accept } = options
  const ask = async (block: Block): Promise<HeaderAnswer[]> => [
    ...(checkpoint === undefined
      ? []
      : [askCommittee(proof as DonationProof, { checkpoint, updates }, block)]),
    ...((await headers?.(block)) ?? (await Promise.all(nodes.map((url) => askNode(url, block))))),
  ]
  return verify(proof, {
    headers: ask,
    ...(keys === undefined ? {} : { keys: keys.filter(hasX) }),
    ...(accept === undefined ? {} : { accept }),
  })
}

const askCommittee = (
  { finality }: DonationProof,
  { checkpoint, updates }: { checkpoint: string; updates: unknown },
  block: Block,
): HeaderAnswer => {
  if (finality === undefined) throw new Error('The proof is without finality.')
  const archive = updates === undefined ? null : readArchive(updates, 'The file of updates')
  const now = Date.now() / 1_000
  return hashFromCheckpoint({ ...block, finality }, readCheckpoint(checkpoint), archive, now)
}

const hasX = (key: object): key is { x: string } => 'x' in key && typeof key.x === 'string'

const askNode = async (url: string, { chainId, number }: Block): Promise<HeaderAnswer> => {
  const source = new URL(url).host
  const [id, block] = await Promise.all([
    rpc(url, 'eth_chainId', []),
    rpc(url, 'eth_getBlockByNumber', [`0x${number.toString(16)}`, false]),
  ])
  if (Number(id) !== chainId) throw new Error(`${source} is a node of another chain.`)
  const hash = (block as { hash?: unknown } | null)?.hash
  return { source, hash: typeof hash === 'string' ? hash.toLowerCase() : null }
}

const rpc = async (url: string, method: string, params: readonly unknown[]): Promise<unknown> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const reply = (await response.json()) as { result?: unknown; error?: { message?: string } }
  if (reply.error) throw new Error(`${new URL(url).host} refused: ${reply.error.message}`)
  return reply.result
}
