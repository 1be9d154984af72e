import { Interface, keccak256, type TransactionRequest, Wallet } from 'ethers'
import { testContracts, testSanctions } from '../../../contracts-abi/test-contracts.ts'
import { type Signed, startTestChain, type TestChain } from '../../support/test-chain.ts'
import { deployFeed, priceBlock, roundId, timeOf } from '../../support/test-feed.ts'
import { deploy, deployWallet, planWallet, signTogether } from '../../support/test-wallets.ts'
import { TOKEN } from '../../support/world.ts'
import { CHAIN_ID } from './ask.ts'

const ETHER = 10n ** 18n
/** A fixed time, so that a seed chooses the same lies in every run. */
const STARTED_AT = 1_800_000_000
const MESSAGE = 'I hold this account.'

export type Scene = Awaited<ReturnType<typeof createScene>>

/** A chain that contains an example of everything that nodes are asked for. It does not change. */
export const createScene = async () => {
  const chain = await startTestChain({ timestamp: STARTED_AT, slotsInEpoch: 2 })
  // A coinbase other than zero, because the reader accepts any miner if the header has none.
  await chain.call('anvil_setCoinbase', [`0x${'cc'.repeat(20)}`])
  const campaign = `0x${'aa'.repeat(20)}`
  const listed = `0x${'bb'.repeat(20)}`
  const feed = await deployFeed(chain, 'ETH / USD', 8)
  const sequencer = await deployFeed(chain, 'L2 Sequencer Uptime Status Feed', 0)
  const sanctions = await deploy(chain, testSanctions.bytecode)
  const list = new Interface(testSanctions.abi).encodeFunctionData('set', [listed, true])
  await chain.send(await chain.sign(0, { to: sanctions, data: list }))
  const now = await timeOf(chain, await chain.head())
  await sequencer.write('setRound', roundId(1, 1), 0, now - 7_200, now - 7_200)
  for (let round = 1; round <= 3; round++) {
    await feed.write('setRound', roundId(1, round), 2_000_00000000n + BigInt(round), now, now)
  }
  const { sent, delegated } = await sendPayments(chain, campaign)
  const here = await priceBlock(chain, await chain.mine())
  // Later prices make the reader ask a node without the block's state for earlier rounds.
  for (let round = 4; round <= 9; round++) await feed.write('transmit', 3_000_00000000n)
  await chain.mine(3)
  const pending = await chain.send(await chain.signToken(5, campaign, 7n))
  return {
    chain,
    ...{ campaign, listed, delegated, sent, pending, here },
    ...{ feed: feed.address, sequencer: sequencer.address, sanctions },
    claims: await claimsOf(chain),
    newest: await priceBlock(chain, await chain.head()),
  }
}

/** Sends every kind of payment, in each type of transaction that Anvil mines. */
const sendPayments = async (chain: TestChain, campaign: string) => {
  const wallet = new Wallet(`0x${'42'.repeat(32)}`)
  const delegated = wallet.address.toLowerCase()
  const router = await deploy(chain, testContracts.router.bytecode)
  const owner = chain.addressOf(3).slice(2).padStart(64, '0')
  const safe = await deploy(chain, testContracts.safe.bytecode + owner)
  const code = await deploy(chain, testContracts.account.bytecode + '0'.repeat(64))
  await chain.send(await chain.signEther(6, delegated, '10'))
  await chain.mine()
  const routed = async (method: string, values: readonly unknown[], value: bigint) => {
    const data = new Interface(testContracts.router.abi).encodeFunctionData(method, values)
    return chain.send(await chain.sign(4, { to: router, data, value, gasLimit: 500_000n }))
  }
  const execute = new Interface(testContracts.safe.abi).encodeFunctionData('execTransaction', [
    campaign,
    0n,
    '0x',
  ])
  let nonce = 0
  const accessList = [{ address: TOKEN, storageKeys: [`0x${'01'.repeat(32)}`] }]
  const typed = async (transaction: TransactionRequest): Promise<Signed> => {
    const raw = await wallet.signTransaction({
      ...{ chainId: CHAIN_ID, nonce, gasLimit: 500_000n, to: campaign, accessList },
      ...transaction,
    })
    nonce += 1
    return chain.send({ raw, hash: keccak256(raw), from: delegated })
  }
  const fees = { maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
  // The authorization has nonce 3, because the transaction that carries it uses nonce 2.
  const authorization = await wallet.authorize({ address: code, nonce: 3, chainId: CHAIN_ID })
  const before155 = { to: campaign, value: ETHER, chainId: 0n }
  const sent = {
    token: await chain.send(await chain.signToken(1, campaign, 5_000_000n)),
    native: await chain.send(await chain.signEther(2, campaign, '1.5')),
    unprotected: await chain.send(await chain.sign(2, before155)),
    byCalls: await routed(
      'split',
      [
        [campaign, safe],
        [ETHER, 2n * ETHER],
      ],
      3n * ETHER,
    ),
    inVain: await routed('payInVain', [campaign], ETHER),
    // The data of the log of this call is longer than one word.
    executed: await chain.send(await chain.sign(3, { to: safe, data: execute })),
    reverted: await chain.send(await chain.signToken(7, campaign, 1n)),
    created: await chain.send(await chain.sign(8, { data: '0x600580600b6000396000f360006000fd' })),
    withList: await typed({ type: 1, value: 3n, gasPrice: 20_000_000_000n }),
    withTip: await typed({ type: 2, value: 4n, ...fees }),
    delegating: await typed({ type: 4, value: 5n, ...fees, authorizationList: [authorization] }),
  }
  return { sent, delegated }
}

/** Signatures of a contract wallet, of a wallet that is not deployed yet, and a wrong signature. */
const claimsOf = async (chain: TestChain) => {
  const owners = [1, 2]
  const address = await deployWallet(chain, owners, 2)
  const planned = await planWallet(chain, owners, 2)
  const signature = await signTogether(owners, (key) => key.signMessage(MESSAGE))
  const claim = { chainId: CHAIN_ID, address, message: MESSAGE, signature }
  return {
    'of a contract': claim,
    'of a contract to come': {
      ...claim,
      ...{ address: planned.address, signature: planned.wrap(signature) },
    },
    'of another message': { ...claim, message: 'Another message.' },
  }
}
