import { describe, expect, test } from 'vitest'
import { address } from '../../support/chain-facts.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createPaymentsWorld, delegate, deploy, ETHER, encode, NODES } from './support/payments.ts'

const CAMPAIGN = address('campaign')
const OTHER = address('other campaign')
const ZERO_WORD = `0x${'00'.repeat(32)}`

describe.skipIf(!hasAnvil).each(NODES)('native payments by calls, from a node with %s', (kind) => {
  const traced = kind !== 'no traces'
  const source = traced ? 'trace' : 'balance'

  test('a router’s payment is credited once, in what arrived', async () => {
    const { chain, claim, transfers, donations, mineAndFollow } = await createPaymentsWorld(kind)
    const router = await deploy(chain, 'router')
    const paid = await router.call(1, 'forward', [CAMPAIGN], 2n * ETHER)
    await claim(paid, CAMPAIGN)
    await mineAndFollow()
    const stored = {
      txHash: paid.hash,
      position: -2,
      source,
      sender: traced ? router.address : paid.from,
      recipient: CAMPAIGN,
      amount: `${2n * ETHER}`,
    }
    expect(await transfers()).toEqual([stored])
    await mineAndFollow(2)
    expect(await transfers()).toEqual([stored])
    expect(await donations()).toEqual([
      { status: 'completed', reason: expect.any(String), amount: `${2n * ETHER}` },
    ])
  })

  test('a splitter pays two campaigns in one transaction, each its own share', async () => {
    const { chain, claim, transfers, mineAndFollow } = await createPaymentsWorld(kind, {
      accounts: [CAMPAIGN, OTHER],
    })
    const router = await deploy(chain, 'router')
    const shares = [
      [CAMPAIGN, OTHER, CAMPAIGN],
      [3n, 5n, 7n],
    ]
    const paid = await router.call(1, 'split', shares, 15n)
    await claim(paid, CAMPAIGN)
    await claim(paid, OTHER)
    await mineAndFollow()
    const seen = (await transfers()).map((one) => [one.recipient, one.position, one.amount])
    expect(new Set(seen)).toEqual(
      new Set(
        traced
          ? [
              [CAMPAIGN, -2, '3'],
              [CAMPAIGN, -3, '7'],
              [OTHER, -2, '5'],
            ]
          : [
              [CAMPAIGN, -2, '10'],
              [OTHER, -2, '5'],
            ],
      ),
    )
  })

  test('a Safe pays by execTransaction, and is named as the sender', async () => {
    const { chain, claim, transfers, mineAndFollow } = await createPaymentsWorld(kind)
    const safe = await deploy(chain, 'safe', [chain.addressOf(1)], ETHER)
    const paid = await safe.call(1, 'execTransaction', [CAMPAIGN, 7n, '0x'])
    await claim(paid, CAMPAIGN)
    await mineAndFollow()
    expect(await transfers()).toMatchObject([
      { position: -2, sender: safe.address, amount: '7', source },
    ])
  })

  test('what fails inside a transaction that succeeds credits nothing', async () => {
    const { chain, claim, transfers, donations, mineAndFollow } = await createPaymentsWorld(kind)
    const safe = await deploy(chain, 'safe', [chain.addressOf(1)], 5n)
    const router = await deploy(chain, 'router')
    // The Safe holds less than this amount, so it logs ExecutionFailure.
    await claim(await safe.call(1, 'execTransaction', [CAMPAIGN, 7n, '0x']), CAMPAIGN)
    await claim(await router.call(2, 'payInVain', [CAMPAIGN], 7n), CAMPAIGN)
    await mineAndFollow(3)
    expect(await transfers()).toEqual([])
    expect(await donations()).toEqual([
      { status: 'failed', reason: 'wrong_recipient', amount: null },
      { status: 'failed', reason: 'wrong_recipient', amount: null },
    ])
  })

  const gas = [0, 0, 0, 0, 0]
  const shapes = [
    [
      '0.6',
      'entryPointV06',
      (sender: string, call: string) => [sender, 0, '0x', call, ...gas, '0x', '0x'],
    ],
    [
      '0.7',
      'entryPointV07',
      (sender: string, call: string) => [
        sender,
        0,
        '0x',
        call,
        ZERO_WORD,
        0,
        ZERO_WORD,
        '0x',
        '0x',
      ],
    ],
  ] as const
  test.each(shapes)(
    'ERC-4337 %s: the operation that pays counts, the one that fails does not',
    async (_, name, operation) => {
      const { chain, claim, transfers, mineAndFollow } = await createPaymentsWorld(kind)
      const entryPoint = await deploy(chain, name)
      const rich = await deploy(chain, 'account', [entryPoint.address], ETHER)
      const poor = await deploy(chain, 'account', [entryPoint.address])
      const pay = encode('account', 'execute', [CAMPAIGN, 9n, '0x'])
      const ops = [operation(poor.address, pay), operation(rich.address, pay)]
      const bundle = await entryPoint.call(3, 'handleOps', [ops, chain.addressOf(3)])
      await claim(bundle, CAMPAIGN)
      await mineAndFollow()
      expect(await transfers()).toMatchObject([
        { txHash: bundle.hash, position: -2, sender: rich.address, amount: '9', source },
      ])
    },
  )

  test('an EIP-7702 account pays through its code: by itself, and in an ERC-4337 0.8 bundle', async () => {
    const { chain, claim, transfers, mineAndFollow } = await createPaymentsWorld(kind)
    const entryPoint = await deploy(chain, 'entryPointV07')
    const code = await deploy(chain, 'account', [entryPoint.address])
    const donor = await delegate(chain, code.address)
    const pay = encode('account', 'execute', [CAMPAIGN, 4n, '0x'])
    await claim(await donor.send({ data: pay }), CAMPAIGN)
    await chain.mine()
    const operation = [donor.address, 0, '0x7702', pay, ZERO_WORD, 0, ZERO_WORD, '0x', '0x']
    await claim(await entryPoint.call(3, 'handleOps', [[operation], CAMPAIGN]), CAMPAIGN)
    await mineAndFollow()
    expect(await transfers()).toMatchObject([
      { position: -2, sender: donor.address, amount: '4', source },
      { position: -2, sender: donor.address, amount: '4', source },
    ])
  })

  test('a contract that destroys itself in favour of the campaign pays it', async () => {
    const { chain, claim, transfers, mineAndFollow } = await createPaymentsWorld(kind)
    const router = await deploy(chain, 'router')
    // The created contract's code is PUSH20 <campaign> SELFDESTRUCT.
    const paid = await router.call(1, 'create', [`0x73${CAMPAIGN.slice(2)}ff`], 6n)
    await claim(paid, CAMPAIGN)
    await mineAndFollow()
    expect(await transfers()).toMatchObject([{ position: -2, amount: '6', source }])
  })

  test('a Safe as the campaign’s account is credited for what it logs, claimed or not, and for nothing twice', async () => {
    const chain = await startTestChain()
    const safe = await deploy(chain, 'safe', [chain.addressOf(5)])
    const { transfers, mineAndFollow } = await createPaymentsWorld(kind, {
      chain,
      accounts: [safe.address],
    })
    const router = await deploy(chain, 'router')
    const direct = await chain.send(await chain.sign(1, { to: safe.address, value: 3n }))
    const inner = await router.call(
      2,
      'split',
      [
        [safe.address, CAMPAIGN, safe.address],
        [4n, 1n, 5n],
      ],
      10n,
    )
    await mineAndFollow()
    const seen = (await transfers()).map((one) => [
      one.txHash,
      one.position,
      one.sender,
      one.amount,
      one.source,
    ])
    expect(new Set(seen)).toEqual(
      new Set([
        [direct.hash, -1, direct.from, '3', 'value'],
        [inner.hash, -2, router.address, '4', source],
        [inner.hash, -3, router.address, '5', source],
      ]),
    )
  })

  test('a counterfeit SafeReceived credits nothing', async () => {
    const chain = await startTestChain()
    const safe = await deploy(chain, 'safe', [chain.addressOf(5)])
    const { claim, transfers, donations, mineAndFollow } = await createPaymentsWorld(kind, {
      chain,
      accounts: [safe.address],
    })
    await claim(await safe.call(1, 'pretend', [chain.addressOf(1), 9n * ETHER]), safe.address)
    await chain.mine()
    // One block has a real payment and another false log. The payment counts, the log does not.
    await safe.call(1, 'pretend', [chain.addressOf(1), 9n * ETHER])
    const real = await chain.send(await chain.sign(2, { to: safe.address, value: 8n }))
    await mineAndFollow(3)
    expect(await transfers()).toMatchObject([{ txHash: real.hash, position: -1, amount: '8' }])
    expect(await donations()).toMatchObject([
      { status: traced ? 'failed' : 'pending', amount: null },
    ])
  })

  test('an account that pays in the same block is credited for what arrived, its own gas put back', async () => {
    const chain = await startTestChain()
    const account = chain.addressOf(7)
    const { claim, transfers, mineAndFollow } = await createPaymentsWorld(kind, {
      chain,
      accounts: [account],
    })
    const router = await deploy(chain, 'router')
    const paid = await router.call(1, 'forward', [account], 11n)
    await chain.send(await chain.sign(7, { to: address('shop'), value: 5n * ETHER }))
    await chain.send(await chain.sign(2, { to: account, value: 2n }))
    await claim(paid, account)
    await mineAndFollow()
    const seen = (await transfers()).map((one) => [one.position, one.amount])
    expect(new Set(seen)).toEqual(
      new Set([
        [-2, '11'],
        [-1, '2'],
      ]),
    )
  })
})
