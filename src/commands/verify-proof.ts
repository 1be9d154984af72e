import { createPublicKey } from 'node:crypto'
import { hashFromCheckpoint, readArchive, readCheckpoint } from '../verifier/consensus/index.ts'
import {
  type DonationProof,
  type HeaderAnswer,
  type Level,
  type VerificationResult,
  verifyProof,
} from '../verifier/index.ts'
import { command, parseOptions, readText } from './command.ts'
import { download } from './download.ts'
import { member, openNode, parseJson, quantity, Unchecked } from './one-node.ts'

/**
 * `npm run verify-proof -- proof.json …`: checks a donation's proof against block hashes from the
 * user's own sources. Reads no configuration, and asks only URLs in its options. Exit codes:
 * - 0: every step of the proof is valid
 * - 1: a step of the proof is wrong
 * - 2: a step could not be checked, for example because the service's key is missing
 */
const USAGE = `npm run verify-proof -- proof.json --jwks https://<service>/.well-known/jwks.json --rpc URL

  --jwks URL|FILE      the service's public keys, as at /.well-known/jwks.json
  --key FILE           one of these keys, JWK or PEM
  --rpc URL            a node of yours; may be given several times, then all must agree
  --header FILE        blocks as a node gives them, JSON: {"number": …, "hash": "0x…"}, or a list
  --header-hash 0x…    the hash of the block, from a source that you trust
  --checkpoint 0x…     the root of a final beacon block, from a source that you trust: then the
                       committee of the chain names the block, and no node is trusted
  --updates URL|FILE   the updates of the committee from the checkpoint on, as a service keeps them:
                       https://<service>/api/finality/<chain id>/updates?from=<checkpoint>
  --accept LEVEL       receipt, balance: accept a proof of less than the transaction itself`

const LEVELS: readonly string[] = ['transaction', 'receipt', 'balance'] satisfies Level[]

type Block = { chainId: number; number: number }
type Source = (block: Block) => Promise<HeaderAnswer>
const readOptions = (words: readonly string[]) => {
  const text = { type: 'string' } as const
  const options = {
    rpc: { ...text, multiple: true },
    accept: { ...text, multiple: true },
    ...{ header: text, 'header-hash': text, key: text, jwks: text },
    ...{ checkpoint: text, updates: text },
  } as const
  const config = { args: [...words], allowPositionals: true, options } as const
  const { positionals, values } = parseOptions(config, USAGE)
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new Unchecked(USAGE)
  return { file, options: values }
}
type Options = ReturnType<typeof readOptions>['options']

const main = async (words: readonly string[]): Promise<number> => {
  const { file, options } = readOptions(words)
  const proof = parseJson(readText(file), file)
  const sources = sourcesOf(options, proof)
  if (sources.length === 0) {
    throw new Unchecked(
      `Name a source of the block's hash: --checkpoint, --rpc, --header or --header-hash.\n\n${USAGE}`,
    )
  }
  const keys = await keysOf(options)
  const unknown = options.accept?.find((level) => !LEVELS.includes(level))
  if (unknown !== undefined) throw new Unchecked(`There is no level ${unknown}.\n\n${USAGE}`)
  let away: unknown
  const result = await verifyProof(proof, {
    headers: (block) =>
      Promise.all(sources.map((source) => source(block))).catch((error: unknown) => {
        away = error
        throw error
      }),
    ...(keys === undefined ? {} : { keys }),
    accept: ['transaction', ...((options.accept ?? []) as Level[])],
  })
  print(result)
  if (result.ok) return 0
  const failed = result.checks.filter((check) => !check.ok)
  if (failed.length === 0) return 2
  // If a source did not answer and only the step `chain` failed, the proof counts as not checked.
  return away !== undefined && failed.every((check) => check.name === 'chain') ? 2 : 1
}

const print = (result: VerificationResult): void => {
  for (const check of result.checks) {
    console.log(`${check.ok ? 'ok    ' : 'FAILED'} ${check.name.padEnd(11)} ${check.why}`)
  }
  for (const party of result.trusted) console.log(`trusts ${party}`)
  console.log(sentenceOf(result))
}

const sentenceOf = ({ ok, level, checks }: VerificationResult): string => {
  if (ok) return `The donation is proven (level ${level}).`
  if (checks.some((check) => !check.ok)) return 'The donation is NOT proven.'
  return (
    `The payment on the chain is proven (level ${level}). The credit in the ledger is NOT: it is ` +
    "signed by an unknown key. Name the service's keys with --jwks or --key."
  )
}

const sourcesOf = (options: Options, proof: unknown): Source[] => {
  const { rpc = [], header, 'header-hash': hash, checkpoint, updates } = options
  if (checkpoint === undefined && updates !== undefined) {
    throw new Unchecked(`Name a --checkpoint too.\n\n${USAGE}`)
  }
  return [
    ...(checkpoint === undefined
      ? []
      : [committeeSource(readCheckpoint(checkpoint), updates, proof as DonationProof)]),
    ...rpc.map(nodeSource),
    ...(header === undefined ? [] : [fileSource(header)]),
    ...(hash === undefined ? [] : [async () => ({ source: 'you', hash: hash.toLowerCase() })]),
  ]
}

/** Proves the hash from the checkpoint, the updates and the proof alone. */
const committeeSource =
  (checkpoint: string, updates: string | undefined, { finality }: DonationProof): Source =>
  async ({ chainId, number }) => {
    if (finality === undefined) {
      throw new Unchecked(
        'The proof is of version 1, without finality: name --rpc, --header or --header-hash.',
      )
    }
    const archive =
      updates === undefined
        ? null
        : readArchive(parseJson(await load(updates), updates), 'The file of updates')
    const wanted = { chainId, number, finality }
    return hashFromCheckpoint(wanted, checkpoint, archive, Date.now() / 1_000)
  }

const nodeSource = (url: string): Source => {
  const { host: source, call } = openNode(url)
  return async ({ chainId, number }) => {
    const [id, block] = await Promise.all([
      call('eth_chainId', []),
      call('eth_getBlockByNumber', [quantity(number), false]),
    ])
    if (Number(id) !== chainId) throw new Unchecked(`${source} is a node of another chain.`)
    const hash = member(block, 'hash')
    return { source, hash: typeof hash === 'string' ? hash.toLowerCase() : null }
  }
}

const fileSource = (file: string): Source => {
  const parsed = parseJson(readText(file), file)
  const blocks: unknown[] = Array.isArray(parsed) ? parsed : [member(parsed, 'result') ?? parsed]
  return async ({ number }) => {
    const block = blocks.find((one) => Number(member(one, 'number')) === number)
    const hash = member(block, 'hash')
    return { source: file, hash: typeof hash === 'string' ? hash.toLowerCase() : null }
  }
}

const keysOf = async ({ key, jwks }: Options): Promise<{ x: string }[] | undefined> => {
  if (key === undefined && jwks === undefined) return undefined
  const own = key === undefined ? [] : [keyOf(readText(key), key)]
  if (jwks === undefined) return own
  const list = member(parseJson(await load(jwks), jwks), 'keys')
  if (!Array.isArray(list)) throw new Unchecked(`${jwks} is not a JWK set.`)
  return [...own, ...list.map((one: unknown) => ({ x: String(member(one, 'x')) }))]
}

const load = (place: string): Promise<string> | string =>
  /^https?:/.test(place) ? download(place) : readText(place)

/** Reads a public key from a text that is a JWK or, as OpenSSL writes it, PEM. */
const keyOf = (text: string, file: string): { x: string } => {
  const jwk: unknown = text.trimStart().startsWith('{')
    ? parseJson(text, file)
    : createPublicKey(text).export({ format: 'jwk' })
  return { x: String(member(jwk, 'x')) }
}

/** Runs `npm run verify-proof`. Returns the exit code. */
export const run = command(USAGE, 2, main)

if (import.meta.main) process.exitCode = await run(process.argv.slice(2))
