import { createContractReader } from '../../../src/chain/index.ts'
import { FACTORY, IMPLEMENTATION } from '../../../src/escrow/address.ts'
import { deployCall, refundCall } from '../../../src/escrow/calls.ts'
import { roundData } from '../../../src/escrow/views.ts'
import type { ContractReader } from '../../../src/kernel/ports/contract-reader.ts'
import { readBalances } from '../../../worker/chain/reconcile/read-balances.ts'
import { scanBlocks } from '../../../worker/chain/scan.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { TOKEN } from '../../support/world.ts'
import { type Asked, CHAIN_ID, log, type Question } from './ask.ts'
import type { EscrowScene } from './escrow-scene.ts'
import { callsOf, headerAt } from './questions.ts'

const chainId = CHAIN_ID
const NO_CODE = `0x${'ee'.repeat(20)}`

/** All questions about escrows, asked by the functions that the worker and the API use. */
export const questionsToEscrow = (scene: EscrowScene): Question[] => [
  ...questionsOfFollower(scene),
  ...Object.values(readerQuestions(scene)).flat(),
]

const questionsOfFollower = (scene: EscrowScene): Question[] => {
  const { followedTo, newest, account, sync } = scene
  const { ctx } = scene.world
  const { assets } = ctx.settings
  return [
    {
      name: 'events of an escrow',
      about: callsOf('eth_getBlockReceipts'),
      ask: async ({ client }) => {
        const blocks = await client.blocks(followedTo + 1, newest.number)
        return scanBlocks(client, assets, blocks, await sync.watch(ctx), new Set())
      },
    },
    {
      name: 'codes of an escrow',
      about: callsOf('eth_getProof'),
      ask: async ({ client }) => {
        const header = await headerAt(client, newest.number)
        const accounts = [FACTORY, IMPLEMENTATION, account, NO_CODE]
        return (await client.accountProofs(header, accounts)).map((state) => state?.codeHash)
      },
    },
    {
      name: 'balances of an escrow',
      about: callsOf('eth_getProof', 'eth_call'),
      ask: async ({ client }) => {
        const holdings = assets.all.map((asset) => ({ account, asset }))
        return readBalances(client, await headerAt(client, newest.number), holdings)
      },
    },
  ]
}

/** At least one question for each method that asks nodes. */
const readerQuestions = ({
  account,
  packed,
  senders,
}: EscrowScene): Record<Exclude<keyof ContractReader, 'knownTokenDomain'>, Question[]> => {
  const question = (
    name: string,
    methods: string[],
    ask: (reader: ContractReader) => Promise<unknown>,
  ): Question => ({
    name: `${name} of an escrow`,
    about: callsOf(...methods),
    ask: ({ reader }: Asked) => ask(createContractReader({ readers: [reader()], log })),
  })
  const deploy = deployCall(packed)
  const refund = refundCall(account, keyOf(1).address)
  const simulations = { sent: [deploy], refused: [refund], 'both sent': [deploy, deploy] }
  return {
    codeHashes: [
      question('hashes', ['eth_getCode'], (reader) =>
        reader.codeHashes({ chainId, addresses: [FACTORY, IMPLEMENTATION, account, NO_CODE] }),
      ),
    ],
    hasCode: [
      question('code', ['eth_getCode', 'eth_call'], (reader) =>
        reader.hasCode({ chainId, address: account }),
      ),
    ],
    isWallet: Object.entries(senders).map(([name, address]) =>
      question(`sender ${name}`, ['eth_call'], (reader) => reader.isWallet({ chainId, address })),
    ),
    view: [
      question('round', ['eth_call'], (reader) =>
        reader.view({ chainId, to: account, data: roundData(1) }),
      ),
    ],
    simulate: Object.entries({ ...simulations, 'second refused': [deploy, refund] }).map(
      ([name, calls]) =>
        question(`calls ${name}`, ['eth_estimateGas', 'eth_simulateV1'], async (reader) => {
          const simulation = await reader.simulate({ chainId, calls })
          // The amount of gas needs no quorum, so the nodes may differ.
          return simulation && { ...simulation, gas: typeof simulation.gas }
        }),
    ),
    tokenDomain: [
      question('token', ['eth_call'], (reader) => reader.tokenDomain({ chainId, address: TOKEN })),
    ],
  }
}
