import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert'
import {
  ApiError,
  Fundproof,
  type FundproofOptions,
  PermissionError,
  TimeoutError,
} from '../src/index.ts'

/**
 * Calls a server that misbehaves, by `node`, `deno run -A` or `bun`. Prints a line for each
 * scenario of test/clients/README.md, and stops with status 1 at the first failure.
 */
const ID = '0198c0de-0000-7000-8000-000000000001'
const ADDRESS = `0x${'ab'.repeat(20)}`
const STALLED = { timeout: 500, maxRetries: 0 }
const STALLED_MAX_MS = 5_000

type Check = (fundproof: Fundproof) => Promise<void>

const getsWallet: Check = async (fundproof) => {
  strictEqual((await fundproof.sandbox.createWallet()).address, ADDRESS)
}

const timesOut: Check = async (fundproof) => {
  const startMs = Date.now()
  await rejects(fundproof.milestones.get(ID), TimeoutError)
  ok(Date.now() - startMs < STALLED_MAX_MS)
}

const isApiErrorOf =
  (status: number): Check =>
  async (fundproof) => {
    await rejects(fundproof.milestones.get(ID), (error) => {
      ok(error instanceof ApiError)
      strictEqual(error.name, 'ApiError')
      return error.status === status
    })
  }

const newTokens: string[][] = []

const SCENARIOS: [string, FundproofOptions, Check][] = [
  ['drop-before', {}, getsWallet],
  ['drop-within', {}, getsWallet],
  [
    'drop-after',
    {},
    async (fundproof) => {
      for (let count = 0; count < 3; count++) await getsWallet(fundproof)
    },
  ],
  ['stall-head', STALLED, timesOut],
  ['stall-body', STALLED, timesOut],
  ['drip', STALLED, timesOut],
  ['truncated', {}, isApiErrorOf(200)],
  [
    'chunks',
    {},
    async (fundproof) => {
      strictEqual((await fundproof.sandbox.createWallet()).address, 'Zoë ☂ 𝄞')
    },
  ],
  ['retry-date', {}, getsWallet],
  ['redirect', {}, isApiErrorOf(302)],
  [
    'pages',
    {},
    async (fundproof) => {
      const names: string[] = []
      for await (const { name } of fundproof.keys.list()) names.push(name)
      const expected = Array.from({ length: 30 }, (_, index) => `key ${index + 1}`)
      deepStrictEqual(names, expected)
    },
  ],
  [
    'stream',
    {},
    async (fundproof) => {
      const users: string[] = []
      for await (const event of fundproof.events.stream()) {
        strictEqual(event.event, 'user.verified')
        users.push(event.data.userId.slice(-1))
        if (users.length === 5) break
      }
      deepStrictEqual(users, ['1', '2', '3', '4', '5'])
    },
  ],
  [
    'stream-refused',
    {},
    async (fundproof) => {
      const stream = fundproof.events.stream()[Symbol.asyncIterator]()
      await rejects(stream.next(), PermissionError)
    },
  ],
  [
    'refresh',
    {
      tokens: { accessToken: 'old', refreshToken: 'refresh-1' },
      onTokens: ({ accessToken, refreshToken }) => {
        newTokens.push([accessToken, refreshToken])
      },
    },
    async (fundproof) => {
      await Promise.all([getsWallet(fundproof), getsWallet(fundproof)])
      deepStrictEqual(newTokens, [['new', 'refresh-2']])
    },
  ],
]

for (const [name, options, check] of SCENARIOS) {
  const baseUrl = `${process.env.FUNDPROOF_BASE_URL}/${name}`
  try {
    await check(new Fundproof({ baseUrl, ...options }))
  } catch (error) {
    console.error(`not ok ${name}`)
    throw error
  }
  console.log(`ok ${name}`)
}
