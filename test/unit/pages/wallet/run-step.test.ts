import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runStep } from '../../../../src/pages/client/donate/run-step.ts'
import type { Provider } from '../../../../src/pages/client/wallet/provider.ts'
import { donateWithAuthorizationCall } from '../../../../src/pages/shared/encode-donation.ts'
import {
  type Payment,
  type PaymentEvent,
  type Step,
  startPayment,
} from '../../../../src/pages/shared/payment-machine.ts'
import { stepsOf } from '../../../../src/pages/shared/wallet-steps.ts'
import { donateTexts } from '../../../../src/pages/texts/donate/index.ts'
import { INTENT } from '../support/made-intent.ts'

const { wallet: DONOR, account: ACCOUNT } = INTENT
const TOKEN = INTENT.token ?? ''
const HASH = `0x${'12'.repeat(32)}`
const SIGNATURE = `0x${'ab'.repeat(65)}`
const CHAIN = {
  id: 8453,
  name: 'Base',
  rpc: [],
  explorer: null,
  native: { symbol: 'ETH', decimals: 18 },
}

const APPROVE = { to: TOKEN, data: '0x0a', value: '0x0' }
const DONATE = { to: ACCOUNT, data: '0x0b', value: '0x0' }
const DEPLOY = { to: `0x${'05'.repeat(20)}`, data: '0x0c', value: '0x0' }
const ARGUMENTS = [DONOR, DONOR, '25000000', '1800000000', HASH]
const CALLS = {
  method: 'calls' as const,
  sendCalls: { version: '2.0.0', calls: [APPROVE, DONATE] },
}
const AUTHORIZATION = {
  method: 'authorization' as const,
  typedData: {
    primaryType: 'ReceiveWithAuthorization',
    message: { to: ACCOUNT, value: '25000000', validBefore: '1800000000' },
  },
  relay: { calls: [DEPLOY], to: ACCOUNT, arguments: ARGUMENTS },
}

type Answer = (params: readonly unknown[]) => unknown

/** A wallet on Base with one account, which answers from a table. */
const walletOf = (answers: Record<string, Answer>): Provider & { sent: unknown[] } => {
  const sent: unknown[] = []
  const all: Record<string, Answer> = {
    eth_requestAccounts: () => [DONOR],
    eth_chainId: () => '0x2105',
    eth_getCode: () => '0x',
    eth_getTransactionReceipt: () => ({ status: '0x1' }),
    eth_sendTransaction: ([call]) => {
      sent.push(call)
      return HASH
    },
    ...answers,
  }
  return {
    sent,
    async request({ method, params = [] }) {
      const answer = all[method]
      if (!answer) throw { code: 4200, message: `no ${method}` }
      return answer(params)
    },
  }
}

type Asked = {
  answers?: Record<string, Answer>
  intent?: Payment['intent']
  fields?: Record<string, string>
  isCurrent?: () => boolean
}

/** Runs one step. Returns its events, the opened pages and the requests to the wallet. */
const run = async (
  step: Step,
  { answers = {}, intent = null, fields = {}, isCurrent = () => true }: Asked,
) => {
  const events: PaymentEvent[] = []
  const pages: string[] = []
  const provider = walletOf(answers)
  await runStep({
    props: {
      lang: 'en',
      texts: donateTexts.en.panel({ network: '', networkId: '', coin: '', account: '' }),
      chain: CHAIN,
      assets: [
        { symbol: 'USDC', decimals: 6, token: TOKEN },
        { symbol: 'ETH', decimals: 18, token: null },
      ],
      action: 'http://127.0.0.1:9/c/water/donate',
      intent: null,
      walletLinks: null,
      audit: 'Be careful.',
    },
    state: { ...startPayment(CHAIN.id, intent), step, account: DONOR, chainId: CHAIN.id },
    provider,
    fields: () => new URLSearchParams(fields),
    keep: () => {},
    emit: (event) => events.push(event),
    isCurrent,
    goTo: (path) => pages.push(path),
  })
  return { events, pages, sent: provider.sent }
}

/** Runs the step that pays an intent with a wallet. */
const pay = (asked: Asked = {}) => run('confirm', { intent: INTENT, ...asked })

/** The requests that the page has sent to the server. */
const asked: { url: string; body: string }[] = []

/** Answers each request to the server with `answer`, and records the request. */
const serveWith = (answer: () => Response) =>
  vi.stubGlobal('fetch', async (url: string, { body }: { body: URLSearchParams }) => {
    asked.push({ url, body: body.toString() })
    return answer()
  })

beforeEach(() => {
  asked.length = 0
  serveWith(() => new Response(null, { status: 204 }))
})
afterEach(() => vi.unstubAllGlobals())

describe('paying', () => {
  test('sends the transfer, tells the server the hash, and opens the donation', async () => {
    const { events, pages, sent } = await pay()
    expect(sent).toMatchObject([{ from: DONOR, to: TOKEN, value: '0x0' }])
    expect(events).toEqual([{ type: 'sent' }])
    expect(asked).toEqual([{ url: `/d/${INTENT.id}/hash`, body: `txHash=${HASH}` }])
    expect(pages).toEqual([`/d/${INTENT.id}`])
  })

  test('sends the own coin of a chain as value', async () => {
    const intent = { ...INTENT, token: null, units: '50000000000000000', currency: 'ETH' }
    const { sent } = await pay({ intent })
    expect(sent).toEqual([{ from: DONOR, to: ACCOUNT, value: '0xb1a2bc2ec50000' }])
  })

  test('opens the donation also when the server does not take the hash', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
    const { events, pages } = await pay()
    expect(events).toEqual([{ type: 'sent' }])
    expect(pages).toEqual([`/d/${INTENT.id}`])
  })

  test('looks at the chain right before it pays', async () => {
    const { events, sent } = await pay({ answers: { eth_chainId: () => '0x1' } })
    expect(events).toEqual([{ type: 'chain-changed', chainId: 1 }])
    expect(sent).toEqual([])
  })

  test('waits for the other signers of a contract wallet, whose hash may be no transaction', async () => {
    const { events, pages } = await pay({ answers: { eth_getCode: () => '0x6080604052' } })
    expect(events).toEqual([{ type: 'signers-asked' }])
    expect(asked).toEqual([])
    expect(pages).toEqual([])
  })
})

describe('paying to an escrow', () => {
  const intent = { ...INTENT, methods: [AUTHORIZATION, CALLS] }
  const hasBatch = {
    wallet_getCapabilities: () => ({ '0x2105': { atomic: { status: 'supported' } } }),
  }

  test('sends all calls at once if the wallet can', async () => {
    const bundles: unknown[] = []
    const { events, sent } = await pay({
      intent,
      answers: { ...hasBatch, wallet_sendCalls: ([bundle]) => bundles.push(bundle) },
    })
    expect(bundles).toEqual([CALLS.sendCalls])
    expect(sent).toEqual([])
    expect(asked).toEqual([])
    expect(events).toEqual([{ type: 'sent' }])
  })

  test('asks for a signature and one call otherwise, after the calls that prepare it', async () => {
    const { sent } = await pay({ intent, answers: { eth_signTypedData_v4: () => SIGNATURE } })
    const data = donateWithAuthorizationCall(ARGUMENTS, SIGNATURE)
    expect(sent).toMatchObject([{ data: DEPLOY.data }, { to: ACCOUNT, data }])
  })

  test('sends one call after the other for a token without authorizations', async () => {
    const { sent } = await pay({ intent: { ...intent, methods: [CALLS] } })
    expect(sent).toMatchObject([{ data: APPROVE.data }, { data: DONATE.data }])
  })

  test('pays nothing more after a refusal', async () => {
    const wallet_sendCalls = () => Promise.reject({ code: 4001 })
    const { events, sent } = await pay({ intent, answers: { ...hasBatch, wallet_sendCalls } })
    expect(events).toMatchObject([{ type: 'failed', problem: 'rejected' }])
    expect(sent).toEqual([])
  })

  test('asks the wallet for exactly the requests that the page lists, in their order', async () => {
    for (const methods of [[AUTHORIZATION, CALLS], [CALLS]]) {
      const asked: unknown[] = []
      const answers = {
        eth_signTypedData_v4: ([, data]: readonly unknown[]) => {
          asked.push(JSON.parse(String(data)).message.to)
          return SIGNATURE
        },
        eth_sendTransaction: ([call]: readonly unknown[]) => {
          asked.push((call as { to: string }).to)
          return HASH
        },
      }
      await pay({ intent: { ...intent, methods }, answers })
      expect(asked).toEqual(stepsOf({ ...intent, methods }, false).map(({ to }) => to))
    }
  })

  test('asks a wallet one by one after it refused several calls that it had promised', async () => {
    const answers = {
      ...hasBatch,
      wallet_sendCalls: () => Promise.reject({ code: 5710 }),
      eth_signTypedData_v4: () => SIGNATURE,
    }
    const first = await pay({ intent, answers })
    expect(first.events).toMatchObject([{ type: 'failed', problem: 'unsupported' }])
    expect((await pay({ intent, answers })).sent).toHaveLength(2)
  })

  test('pays nothing if the escrow records no more donors', async () => {
    const { events, sent } = await pay({ intent: { ...intent, methods: [] } })
    expect(events).toMatchObject([{ type: 'failed', problem: 'closed' }])
    expect(sent).toEqual([])
  })
})

describe('an attempt that the donor stops', () => {
  const inOrder = { ...INTENT, methods: [CALLS] }

  test('gives its answer to the next attempt, so that the wallet is asked once', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    let requests = 0
    const answers = {
      eth_sendTransaction: () => {
        requests++
        return promise
      },
    }
    const first = pay({ answers, isCurrent: () => requests === 0 })
    const second = pay({ answers })
    await vi.waitFor(() => expect(requests).toBe(1))
    resolve(HASH)
    expect((await first).events).toEqual([{ type: 'sent' }])
    expect((await second).events).toEqual([])
    expect(requests).toBe(1)
  })

  test('gives its refusal to the next attempt, and the one after asks again', async () => {
    const { promise, reject } = Promise.withResolvers<string>()
    const answers = { eth_sendTransaction: () => promise }
    const both = [pay({ answers }), pay({ answers })]
    reject({ code: 4001 })
    for (const { events } of await Promise.all(both)) {
      expect(events).toMatchObject([{ type: 'failed', problem: 'rejected' }])
    }
    expect((await pay()).sent).toHaveLength(1)
  })

  test('asks for no further call, and the next attempt begins again', async () => {
    let isCurrent = true
    const answers = {
      eth_getTransactionReceipt: () => {
        isCurrent = false
        return { status: '0x1' }
      },
    }
    const first = pay({ intent: inOrder, answers, isCurrent: () => isCurrent })
    const second = pay({ intent: inOrder })
    expect((await first).sent).toMatchObject([{ data: APPROVE.data }])
    expect((await first).events).toEqual([])
    expect((await second).sent).toMatchObject([{ data: APPROVE.data }, { data: DONATE.data }])
  })

  test('asks for no further call on another chain', async () => {
    let chainId = '0x2105'
    const answers = {
      eth_chainId: () => chainId,
      eth_getTransactionReceipt: () => {
        chainId = '0x1'
        return { status: '0x1' }
      },
    }
    const { events, sent } = await pay({ intent: inOrder, answers })
    expect(sent).toHaveLength(1)
    expect(events).toEqual([{ type: 'chain-changed', chainId: 1 }])
  })
})

describe('a page that was closed before the wallet answered', () => {
  /** A `localStorage` that survives when a page closes. */
  const createStorage = () => {
    const kept = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    })
    return kept
  }
  const refused = { eth_sendTransaction: () => Promise.reject({ code: 4001 }) }

  test('is known to the next page, which warns once before it asks the wallet', async () => {
    const kept = createStorage()
    let noted = 0
    const answers = {
      eth_sendTransaction: () => {
        noted = kept.size
        return HASH
      },
    }
    await pay({ answers })
    expect(noted).toBe(1)
    const warned = await pay()
    expect(warned.events).toMatchObject([{ type: 'failed', problem: 'perhaps-paid' }])
    expect(warned.sent).toEqual([])
    expect((await pay()).sent).toHaveLength(1)
  })

  test('leaves no note when the wallet has refused', async () => {
    const kept = createStorage()
    await pay({ answers: refused })
    expect(kept.size).toBe(0)
    expect((await pay()).sent).toHaveLength(1)
  })

  test('is not known in a browser that stores nothing, which still pays', async () => {
    vi.stubGlobal('localStorage', undefined)
    expect((await pay()).sent).toHaveLength(1)
  })
})

describe('a slow donor', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('is noticed while the wallet has a request open', async () => {
    const later = () => new Promise((resolve) => setTimeout(resolve, 9_000, HASH))
    const running = pay({ answers: { eth_sendTransaction: later } })
    await vi.runAllTimersAsync()
    const types = (await running).events.map(({ type }) => type)
    expect(types).toEqual(['waited', 'answered', 'sent'])
  })

  test('is not blamed while the page waits for a block', async () => {
    let reads = 0
    const running = pay({
      intent: { ...INTENT, methods: [CALLS] },
      answers: { eth_getTransactionReceipt: () => (++reads > 10 ? { status: '0x1' } : null) },
    })
    await vi.runAllTimersAsync()
    expect((await running).events).toEqual([{ type: 'sent' }])
  })
})

describe('checking the balance', () => {
  const check = async (coin: bigint, tokens: bigint, currency = 'USDC') => {
    const hex = (value: bigint) => `0x${value.toString(16)}`
    const { events } = await run('checking', {
      fields: { amount: '25', currency },
      answers: { eth_getBalance: () => hex(coin), eth_call: () => hex(tokens) },
    })
    const [event] = events
    return event?.type === 'failed' ? event.problem : event?.type
  }

  test('needs the token, and some coin for the fee', async () => {
    expect(await check(1n, 25_000_000n)).toBe('funds-found')
    expect(await check(1n, 24_999_999n)).toBe('no-funds')
    expect(await check(0n, 25_000_000n)).toBe('no-fee-funds')
  })

  test('needs more than the amount in the own coin of the chain', async () => {
    const amount = 25n * 10n ** 18n
    expect(await check(amount + 1n, 0n, 'ETH')).toBe('funds-found')
    expect(await check(amount, 0n, 'ETH')).toBe('no-fee-funds')
    expect(await check(amount - 1n, 0n, 'ETH')).toBe('no-funds')
  })

  test('asks all the same a wallet that cannot read balances', async () => {
    const { events } = await run('checking', { fields: { amount: '25', currency: 'USDC' } })
    expect(events).toEqual([{ type: 'funds-found', attempt: 0 }])
  })
})

describe('recording the intent', () => {
  const record = async (answer: () => Response) => {
    serveWith(answer)
    const { events } = await run('intent', { fields: { amount: '25', currency: 'USDC' } })
    return events
  }

  test('names the wallet that pays', async () => {
    const events = await record(() => Response.json(INTENT, { status: 201 }))
    expect(asked[0]?.body).toBe(`amount=25&currency=USDC&wallet=${DONOR}`)
    expect(events).toEqual([{ type: 'recorded', attempt: 0, intent: INTENT }])
  })

  test('opens the page that lists the requests of the wallet, for an escrow', async () => {
    serveWith(() => Response.json({ ...INTENT, methods: [CALLS] }, { status: 201 }))
    const fields = { amount: '25', currency: 'USDC' }
    const { events, pages, sent } = await run('intent', { fields })
    expect([events, pages, sent]).toEqual([[], [`/d/${INTENT.id}`], []])
  })

  test('keeps the words of a refusal', async () => {
    const answer = { problem: 'closed', text: 'Zu spät.' }
    expect(await record(() => Response.json(answer, { status: 409 }))).toEqual([
      { type: 'failed', attempt: 0, problem: 'closed', detail: 'Zu spät.' },
    ])
  })

  test.each([
    [451, 'blocked'],
    [429, 'limited'],
    [500, 'unreachable'],
  ])('understands a page with the status %i', async (status, problem) => {
    const page = () => new Response('<html>', { status, headers: { 'content-type': 'text/html' } })
    expect(await record(page)).toMatchObject([{ type: 'failed', problem }])
  })
})
