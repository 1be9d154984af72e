import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { syncChain } from '../../worker/chain/sync-chain.ts'
import { createReconcileJob } from '../../worker/jobs/reconcile.ts'
import { createChainSync } from '../support/chain-sync.ts'
import { hasAnvil } from '../support/test-chain.ts'
import { TEST_CHAIN } from '../support/world.ts'
import { askThrough, type Heard, type Question } from './lies/ask.ts'
import { questionIn } from './lies/coverage.ts'
import { escrowLies } from './lies/escrow-lies.ts'
import { questionsToEscrow } from './lies/escrow-questions.ts'
import { createEscrowScene } from './lies/escrow-scene.ts'
import { type Lie, liesAbout, someOf } from './lies/lies.ts'
import { type Answer, answerOf, type NodeServer, serveNodes } from './lies/nodes.ts'
import type { JsonObject } from './lies/places.ts'
import { questionsTo } from './lies/questions.ts'
import { createRollup } from './lies/rollup.ts'
import { createScene } from './lies/scene.ts'

/**
 * Each test changes every field. The seed chooses among the changes of lies/mutations.ts, as many
 * as `LIES` says, and among the logs, transactions and calls that have the field. With
 * `LIES_ABOUT=receipts`, only questions with this word in their names are tested.
 */
const ABOUT = process.env.LIES_ABOUT ?? ''
const SEED = Number(process.env.LIES_SEED ?? 20_260_301)
/** The number of clients that ask at the same time. */
const AT_ONCE = 6
const SHOWN = 40
const HOURS_MS = 4 * 3_600_000

test.skipIf(!hasAnvil)(
  'one node of three that alters any field of any answer changes no result, and is named where a proof or the quorum covers the field',
  async () => {
    const scene = await createScene()
    await lieAbout(answerOf(scene.chain.url), questionsTo(scene))
  },
  HOURS_MS,
)

test(
  'the same holds for the transactions and receipts of rollups and sidechains',
  async () => {
    const { answer, questions } = await createRollup()
    await lieAbout(answer, questions)
  },
  HOURS_MS,
)

test.skipIf(!hasAnvil)(
  'the same holds for escrows: their events, codes, balances, refunds and simulations',
  async () => {
    const scene = await createEscrowScene()
    await lieAbout(answerOf(scene.chain.url), questionsToEscrow(scene), escrowLies)
  },
  HOURS_MS,
)

test.skipIf(!hasAnvil)('lies cover every method that is sent to nodes', async () => {
  const scene = await createScene()
  const rollup = await createRollup()
  const asked = [
    ...(await liedAbout(answerOf(scene.chain.url), questionsTo(scene))),
    ...(await liedAbout(rollup.answer, rollup.questions)),
  ]
  const folder = join(import.meta.dirname, '../../src/chain')
  const sent = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    // dev-node.ts sends calls only to a development node, not to a pool.
    .filter((file) => file.endsWith('.ts') && file !== 'dev-node.ts')
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').match(METHODS) ?? [])
  expect([...new Set(asked.map(methodOf))].sort()).toEqual(
    [...new Set(sent.map((name) => name.slice(1, -1)))].sort(),
  )
})

test.skipIf(!hasAnvil)('lies cover every question of the worker about an escrow', async () => {
  const general = await createScene()
  const scene = await createEscrowScene()
  const covered = new Set(
    [
      ...(await liedAbout(answerOf(general.chain.url), questionsTo(general))),
      ...(await liedAbout(answerOf(scene.chain.url), questionsToEscrow(scene))),
    ].map(questionIn),
  )
  const server = await serveNodes(answerOf(scene.chain.url))
  onTestFinished(() => server.close())
  const { urls, asked } = server.open()
  const sync = {
    ...createChainSync(scene.world.ctx, { ...TEST_CHAIN, name: 'test', rpc: urls.slice(0, 1) }),
    owner: scene.sync.owner,
  }
  await syncChain(sync, new AbortController().signal)
  await createReconcileJob(sync, { everyMs: 0 }).run()
  const sent = [...asked.keys()].map(questionIn)
  expect(sent).toEqual(expect.arrayContaining(['eth_getProof', 'eth_getBlockReceipts']))
  expect(sent.filter((one) => !covered.has(one))).toEqual([])
})

/** Lists the calls of these questions about which nodes lie in the tests. */
const liedAbout = async (answer: Answer, questions: readonly Question[]): Promise<string[]> => {
  const server = await serveNodes(answer)
  onTestFinished(() => server.close())
  const asked: string[] = []
  for (const question of questions) {
    const heard = await askThrough(server, question)
    asked.push(...[...heard.asked.keys()].filter((call) => isAbout(question, call)))
  }
  return asked
}

const METHODS = /'(?:eth|debug|trace|net|web3|txpool)_\w+'/g

const methodOf = (call: string): string => call.split(' ')[0] ?? ''

/** Only one question lies about the chain id, because each client asks for it first. */
const isAbout = ({ about }: Question, call: string): boolean =>
  about ? about(call) : methodOf(call) !== 'eth_chainId'

const lieAbout = async (
  answer: Answer,
  questions: readonly Question[],
  forgeries: (asked: ReadonlyMap<string, JsonObject>) => Lie[] = () => [],
): Promise<void> => {
  const server = await serveNodes(answer)
  onTestFinished(() => server.close())
  const failures: string[] = []
  let count = 0
  for (const question of questions.filter(({ name }) => name.includes(ABOUT))) {
    const honest = await askThrough(server, question)
    const { name, fails } = question
    expect({ name, ...honest }).toMatchObject({ name, named: new Set(), failed: fails })
    const asked = new Map([...honest.asked].filter(([call]) => isAbout(question, call)))
    const lies = [...someOf(liesAbout(asked), SEED), ...forgeries(asked)]
    expect([question.name, lies.length]).not.toEqual([question.name, 0])
    count += lies.length
    const open = lies.values()
    const work = async () => {
      for (const lie of open) {
        const failure = await tell(server, question, lie, honest)
        if (failure !== null) failures.push(`${question.name}: ${nameOf(lie)}: ${failure}`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }
  const summary = `${failures.length} of ${count} lies, LIES_SEED=${SEED}`
  expect(failures.slice(0, SHOWN), summary).toEqual([])
}

/** Describes the failure, or returns null if the lie had no wrong effect. */
const tell = async (
  server: NodeServer,
  question: Question,
  lie: Lie,
  honest: Heard,
): Promise<string | null> => {
  const { result, failed, named, met } = await askThrough(server, question, lie)
  if (!met) return 'the liar was not asked'
  if (failed !== honest.failed) return `the error ${failed}, with honest nodes ${honest.failed}`
  if (!isDeepStrictEqual(result, honest.result)) return 'another result than with honest nodes'
  if (named.has('an honest node')) return 'an honest node is named'
  if (lie.named === 'must' && named.size === 0) return 'the liar is not named'
  if (lie.named === 'must not' && named.size > 0) return 'a field that is not read names the node'
  return null
}

const nameOf = ({ call, field, family, kind }: Lie): string =>
  `${call.slice(0, 100)}, ${field || 'the whole answer'}, ${family} (${kind})`
