import {
  type ChainClient,
  createSanctionsOracle,
  createSignatureVerifier,
  type Header,
  readPriceFeeds,
} from '../../../src/chain/index.ts'
import { ChainConfig } from '../../../src/config/config.ts'
import { TOKEN } from '../../support/world.ts'
import { codeOf } from '../../unit/chain/support.ts'
import { type Asked, CHAIN_ID, log, type Question } from './ask.ts'
import { kindOf } from './coverage.ts'
import { factsOf, movesOf, provenPartOf } from './facts.ts'
import type { Scene } from './scene.ts'

/** All questions that src/chain asks nodes, with all methods for each question. */
export const questionsTo = (scene: Scene): Question[] => [
  ...questionsOfBlocks(scene),
  ...questionsOfTransactions(scene),
  ...questionsOfState(scene),
  ...questionsOfContracts(scene),
]

const NOT_THERE = `0x${'cd'.repeat(32)}`
const NEVER_PAID = `0x${'ee'.repeat(20)}`

/** Makes a test whether a call has one of these methods. */
export const callsOf =
  (...methods: string[]) =>
  (call: string): boolean =>
    methods.includes(call.split(' ')[0] ?? '')

const questionsOfBlocks = ({ here, newest, sent, campaign, delegated }: Scene): Question[] => {
  const { hash: blockHash, number } = here
  const head = newest.number
  const evidence = {
    ...{ blockHash, txHashes: [sent.token.hash, sent.withTip.hash] },
    accounts: [campaign, delegated, NEVER_PAID],
  }
  return [
    {
      name: 'chain id',
      about: callsOf('eth_chainId'),
      ask: ({ client }) => client.assertChainId(),
    },
    { name: 'heads', ask: ({ client }) => client.heads() },
    { name: 'headers', ask: ({ client }) => client.headers([number, head, head + 5]) },
    {
      name: 'blocks',
      about: (call) => kindOf(call) === 'block',
      ask: async ({ client }) => (await client.blocks(number - 1, number)).map(factsOf),
    },
    {
      name: 'the newest block',
      about: (call) => kindOf(call) === 'block',
      ask: async ({ client }) => {
        await client.heads()
        return (await client.blocks(head, head)).map(factsOf)
      },
    },
    {
      name: 'block by hash',
      ask: async ({ client }) => (await client.blocksByHash([blockHash])).map(factsOf),
    },
    { name: 'unknown block', ask: ({ client }) => client.blockByHash(NOT_THERE) },
    {
      name: 'receipts',
      about: callsOf('eth_getBlockReceipts'),
      ask: async ({ client }) => {
        const found = await client.receipts(await client.blocks(number, number))
        return [...found.values()].map((receipts) => receipts.map(provenPartOf))
      },
    },
    { name: 'evidence', ask: ({ client }) => client.evidence(evidence) },
  ]
}

const questionsOfTransactions = ({ sent, pending }: Scene): Question[] => {
  const traced = [sent.byCalls.hash, sent.inVain.hash, sent.created.hash]
  const kinds = [sent.token, sent.withList, sent.withTip, sent.delegating, pending]
  const traces = async ({ client }: Asked) =>
    (await client.callTraces(traced, { agreed: true })).map(movesOf)
  return [
    {
      name: 'places',
      ask: ({ client }) =>
        client.findTransactions([sent.token.hash, sent.native.hash, NOT_THERE, pending.hash]),
    },
    {
      name: 'places that no node names',
      refuses: callsOf('eth_getTransactionReceipt'),
      fails: 'rpc_error',
      ask: ({ client }) => client.findTransactions([sent.token.hash]),
    },
    ...kinds.map(
      ({ hash }, index): Question => ({
        name: `transaction ${index}`,
        ask: ({ client }) => client.transactionsByHash([hash, NOT_THERE]),
      }),
    ),
    { name: 'traces', ask: traces },
    { name: 'flat traces', refuses: callsOf('debug_traceTransaction'), ask: traces },
    {
      name: 'traces of any',
      ask: async ({ client }) => (await client.callTraces([sent.byCalls.hash])).map(movesOf),
    },
    {
      name: 'traces that no node has',
      refuses: callsOf('debug_traceTransaction', 'trace_transaction'),
      ask: ({ client }) => client.callTraces([sent.byCalls.hash], { agreed: true }),
    },
  ]
}

const DECIMALS = { to: TOKEN, data: '0x313ce567' }

const questionsOfState = ({ here, campaign, delegated }: Scene): Question[] => [
  {
    name: 'account proofs',
    about: callsOf('eth_getProof'),
    ask: async ({ client }) =>
      client.accountProofs(await headerAt(client, here.number), [campaign, delegated, NEVER_PAID]),
  },
  {
    name: 'account proofs that no node has',
    about: callsOf('eth_getProof'),
    refuses: callsOf('eth_getProof'),
    ask: async ({ client }) =>
      client.accountProofs(await headerAt(client, here.number), [campaign]),
  },
  { name: 'counts', ask: ({ client }) => client.transactionCounts(here, [delegated, campaign]) },
  {
    name: 'calls',
    ask: ({ client }) => client.callAt(here, [DECIMALS, { ...DECIMALS, data: '0xdeadbeef' }]),
  },
  {
    name: 'states that no node has',
    refuses: callsOf('eth_call', 'eth_getTransactionCount'),
    ask: async ({ client }) => [
      await codeOf(() => client.callAt(here, [DECIMALS])),
      await codeOf(() => client.transactionCounts(here, [campaign])),
    ],
  },
]

export const headerAt = async (client: ChainClient, number: number): Promise<Header> => {
  const found = await client.headerAt(number)
  if (!found) throw new Error(`There is no block ${number}.`)
  return found
}

const questionsOfContracts = (scene: Scene): Question[] => {
  const { here, campaign, claims } = scene
  const chain = ChainConfig.parse({
    ...{ id: CHAIN_ID, name: 'test', rpc: ['http://127.0.0.1:1'] },
    feeds: [{ pair: 'ETH/USD', address: scene.feed, heartbeatSeconds: 86_400 }],
    sequencerFeed: { address: scene.sequencer },
  })
  const prices = ({ client }: Asked) =>
    readPriceFeeds(client, chain, [{ pair: 'ETH/USD', block: here }])
  return [
    { name: 'prices', ask: prices },
    {
      name: 'prices of a block whose state no node has',
      about: callsOf('eth_call'),
      refuses: (call) => call.startsWith('eth_call') && call.includes(here.hash),
      ask: prices,
    },
    ...Object.entries(claims).map(
      ([name, claim]): Question => ({
        name: `signature ${name}`,
        about: callsOf('eth_getCode', 'eth_call'),
        ask: ({ reader }) =>
          createSignatureVerifier({ readers: [reader()], log }).verifyMessage(claim),
      }),
    ),
    ...[1, 2].map(
      (count): Question => ({
        name: `gas of ${count} calls`,
        about: callsOf('eth_estimateGas', 'eth_simulateV1'),
        // The amount of gas needs no quorum, so the answer is only its type.
        ask: async ({ reader }) =>
          typeof (await reader().gasOf(
            here,
            Array.from({ length: count }, () => DECIMALS),
          )),
      }),
    ),
    {
      name: 'sanctions',
      ask: ({ reader }) =>
        createSanctionsOracle({ reader: reader(), address: scene.sanctions, log })([
          scene.listed,
          campaign,
        ]),
    },
  ]
}
