import { AbiCoder, Interface, id } from 'ethers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  connect,
  isContract,
  readBalances,
  switchChain,
} from '../../../../src/pages/client/wallet/account.ts'
import type { Provider } from '../../../../src/pages/client/wallet/provider.ts'
import { sendInOrder, signMessage } from '../../../../src/pages/client/wallet/send.ts'
import {
  type Wallet,
  type WalletWindow,
  watchWallets,
} from '../../../../src/pages/client/wallet/wallets.ts'
import { balanceCall, transferCall } from '../../../../src/pages/shared/encode-call.ts'
import { donateWithAuthorizationCall } from '../../../../src/pages/shared/encode-donation.ts'
import { toWalletError } from '../../../../src/pages/shared/wallet-problem.ts'

const ACCOUNT = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720'
const TOKEN = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const CHAIN = {
  id: 8453,
  name: 'Base',
  rpc: ['https://mainnet.base.org'],
  explorer: 'https://basescan.org',
  native: { symbol: 'ETH', decimals: 18 },
}

type Answers = Record<string, (params: readonly unknown[]) => unknown>

/** A wallet that answers from a table, and records the methods of its requests. */
const walletOf = (answers: Answers): Provider & { asked: string[] } => {
  const asked: string[] = []
  return {
    asked,
    async request({ method, params = [] }) {
      asked.push(method)
      const answer = answers[method]
      if (!answer) throw { code: -32601, message: `no ${method}` }
      return answer(params)
    },
  }
}

const refuse = (code: number, data?: unknown) => () => {
  throw { code, message: 'no', data }
}

describe('errors of wallets', () => {
  test.each([
    [{ code: 4001 }, 'rejected'],
    [{ code: '4001' }, 'rejected'],
    [{ code: 4100 }, 'locked'],
    [{ code: 4900 }, 'offline'],
    [{ code: 4902 }, 'unknown-chain'],
    [{ code: -32002 }, 'busy'],
    [{ code: -32601 }, 'unsupported'],
    [{ code: -32603, data: { originalError: { code: 4902 } } }, 'unknown-chain'],
    [{ code: -32603, data: { code: 4001 } }, 'rejected'],
    [{ code: -32603, cause: { code: 4001 } }, 'rejected'],
    [{ code: -32000, message: 'insufficient funds for gas * price + value' }, 'no-fee-funds'],
    [{ code: -32603, data: { message: 'Insufficient funds' } }, 'no-fee-funds'],
    [{ code: -32603, message: 'Internal JSON-RPC error' }, 'failed'],
    [new Error('boom'), 'failed'],
    ['boom', 'failed'],
    [null, 'failed'],
  ])('%j is %s', (thrown, problem) => {
    expect(toWalletError(thrown).problem).toBe(problem)
  })

  test('an error that contains itself ends', () => {
    const thrown: { code: number; cause?: unknown } = { code: -1 }
    thrown.cause = thrown
    expect(toWalletError(thrown).problem).toBe('failed')
  })
})

describe('calls that the page encodes', () => {
  const abi = new Interface([
    'function transfer(address to, uint256 value)',
    'function balanceOf(address owner)',
    'function donateWithAuthorization(address,address,uint256,uint256,bytes32,bytes)',
  ])

  test('are the same as the ones of ethers', () => {
    expect(transferCall(ACCOUNT, '12500000')).toBe(
      abi.encodeFunctionData('transfer', [ACCOUNT, 12_500_000n]),
    )
    expect(balanceCall(ACCOUNT)).toBe(abi.encodeFunctionData('balanceOf', [ACCOUNT]))
  })

  test.each([65, 64, 97])('hold a signature of %i bytes', (length) => {
    const args = [ACCOUNT, TOKEN, '25000000', '1800000000', id('donation')]
    const signature = `0x${'ab'.repeat(length)}`
    expect(donateWithAuthorizationCall(args, signature)).toBe(
      abi.encodeFunctionData('donateWithAuthorization', [...args, signature]),
    )
  })
})

describe('the account of a wallet', () => {
  test('is the first of the list', async () => {
    const wallet = walletOf({ eth_requestAccounts: () => [ACCOUNT, TOKEN] })
    expect(await connect(wallet)).toBe(ACCOUNT)
  })

  test.each([[[]], [null], [['<script>']]])('%j is locked', async (accounts) => {
    const wallet = walletOf({ eth_requestAccounts: () => accounts })
    await expect(connect(wallet)).rejects.toMatchObject({ problem: 'locked' })
  })

  test('has a coin and a token, read through the wallet', async () => {
    const wallet = walletOf({
      eth_getBalance: () => '0x10',
      eth_call: () => AbiCoder.defaultAbiCoder().encode(['uint256'], [25_000_000n]),
    })
    expect(await readBalances(wallet, ACCOUNT, TOKEN)).toEqual({ native: 16n, token: 25_000_000n })
    expect(await readBalances(wallet, ACCOUNT, null)).toEqual({ native: 16n, token: null })
  })

  test.each([
    ['0x', false],
    ['0xef010063c0c19a282a1b52b07dd5a65b58948a07dae32b', false],
    ['0x6080604052', true],
  ])('with the code %s: a contract is %s', async (code, expected) => {
    expect(await isContract(walletOf({ eth_getCode: () => code }), ACCOUNT)).toBe(expected)
  })
})

describe('switching the chain', () => {
  test('adds a chain after any error but a rejection', async () => {
    for (const error of [refuse(4902), refuse(-32603, { originalError: { code: 4902 } })]) {
      let known = false
      let chainId = '0x1'
      const wallet = walletOf({
        wallet_switchEthereumChain: (params) => {
          if (!known) return error()
          chainId = (params[0] as { chainId: string }).chainId
          return null
        },
        wallet_addEthereumChain: () => {
          known = true
          return null
        },
        eth_chainId: () => chainId,
      })
      await switchChain(wallet, CHAIN)
      expect(wallet.asked.at(-1)).toBe('eth_chainId')
    }
  })

  test('does not believe a wallet that says it has switched', async () => {
    const wallet = walletOf({ wallet_switchEthereumChain: () => null, eth_chainId: () => '0x1' })
    await expect(switchChain(wallet, CHAIN)).rejects.toMatchObject({ problem: 'unknown-chain' })
  })

  test.each([
    [4001, 'rejected'],
    [-32002, 'busy'],
  ])('stops at error %i without adding the chain', async (code, problem) => {
    const wallet = walletOf({ wallet_switchEthereumChain: refuse(code), eth_chainId: () => '0x1' })
    await expect(switchChain(wallet, CHAIN)).rejects.toMatchObject({ problem })
    expect(wallet.asked).toEqual(['wallet_switchEthereumChain'])
  })

  test('accepts a wallet that cannot switch and is already there', async () => {
    const wallet = walletOf({ eth_chainId: () => '0x2105' })
    await switchChain(wallet, CHAIN)
    expect(wallet.asked.at(-1)).toBe('eth_chainId')
  })

  test('has nothing to add without a public node', async () => {
    const wallet = walletOf({ wallet_switchEthereumChain: refuse(4902), eth_chainId: () => '0x1' })
    await expect(switchChain(wallet, { ...CHAIN, rpc: [] })).rejects.toMatchObject({
      problem: 'unknown-chain',
    })
    expect(wallet.asked).not.toContain('wallet_addEthereumChain')
  })
})

describe('sending', () => {
  test('sends each call after the receipt of the one before, without fee fields', async () => {
    const sent: unknown[] = []
    const wallet = walletOf({
      eth_sendTransaction: ([call]) => `0x0${sent.push(call)}`,
      eth_getTransactionReceipt: () => ({ status: '0x1' }),
    })
    const calls = [
      { to: TOKEN, data: '0x01' },
      { to: ACCOUNT, value: '1000000000000000000' },
    ]
    expect(await sendInOrder(wallet, ACCOUNT, calls)).toBe('0x02')
    expect(sent).toEqual([
      { from: ACCOUNT, to: TOKEN, value: '0x0', data: '0x01' },
      { from: ACCOUNT, to: ACCOUNT, value: '0xde0b6b3a7640000' },
    ])
    expect(wallet.asked[1]).toBe('eth_getTransactionReceipt')
  })

  test('sends no second call when the first has failed', async () => {
    const wallet = walletOf({
      eth_sendTransaction: () => '0x01',
      eth_getTransactionReceipt: () => ({ status: '0x0' }),
    })
    const calls = [{ to: TOKEN }, { to: ACCOUNT }]
    await expect(sendInOrder(wallet, ACCOUNT, calls)).rejects.toMatchObject({ problem: 'failed' })
    expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1)
  })

  test('signs a text as UTF-8 in hex', async () => {
    const wallet = walletOf({ personal_sign: ([hex, account]) => (account === ACCOUNT ? hex : '') })
    expect(await signMessage(wallet, ACCOUNT, 'é1')).toBe('0xc3a931')
  })
})

describe('finding wallets', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const ICON = 'data:image/svg+xml;base64,PHN2Zy8+'
  const announce = (window: EventTarget, uuid: string, name = 'Wallet', icon = ICON) =>
    window.dispatchEvent(
      Object.assign(new Event('eip6963:announceProvider'), {
        detail: { info: { uuid, name, icon, rdns: 'org.example' }, provider: walletOf({}) },
      }),
    )
  const watch = (window: WalletWindow) => {
    const lists: (readonly Wallet[])[] = []
    const stop = watchWallets(window, (wallets) => lists.push(wallets))
    return { lists, stop }
  }

  test('lists each announced wallet once, and takes no icon from another host', () => {
    const window: WalletWindow = new EventTarget()
    window.addEventListener('eip6963:requestProvider', () => {
      announce(window, 'a', 'Alpha')
      announce(window, 'a', 'Alpha')
      announce(window, 'b', 'B'.repeat(100), 'https://example.org/icon.png')
    })
    const { lists } = watch(window)
    expect(lists.at(-1)?.map(({ name, icon }) => [name, icon])).toEqual([
      ['Alpha', ICON],
      ['B'.repeat(40), null],
    ])
    vi.runAllTimers()
    expect(lists.at(-1)).toHaveLength(2)
  })

  test('uses window.ethereum only if no wallet announces itself', () => {
    const { lists } = watch(Object.assign(new EventTarget(), { ethereum: walletOf({}) }))
    expect(lists).toEqual([])
    vi.advanceTimersByTime(300)
    expect(lists.at(-1)?.map(({ id, name }) => [id, name])).toEqual([['window.ethereum', '']])
  })

  test('says after the wait that there is no wallet', () => {
    const { lists, stop } = watch(new EventTarget())
    vi.advanceTimersByTime(300)
    expect(lists).toEqual([[]])
    stop()
  })

  test('ignores announcements of a wrong form', () => {
    const window = new EventTarget()
    const { lists, stop } = watch(window)
    for (const detail of [null, {}, { info: { uuid: 'a', name: 'A', icon: 1 } }]) {
      window.dispatchEvent(Object.assign(new Event('eip6963:announceProvider'), { detail }))
    }
    expect(lists).toEqual([])
    stop()
  })

  test('lists at most twelve wallets', () => {
    const window = new EventTarget()
    const { lists, stop } = watch(window)
    for (let index = 0; index < 20; index++) announce(window, String(index))
    expect(lists.at(-1)).toHaveLength(12)
    stop()
  })
})
