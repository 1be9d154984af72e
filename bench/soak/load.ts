import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../../src/kernel/errors.ts'
import { signIn } from '../record/services.ts'
import { campaignAccount } from '../support/world.ts'
import type { SoakChain } from './chains.ts'

export type LoadOptions = {
  origin: string
  /** Each chain with its campaigns, whose accounts are `campaignAccount` of their place. */
  sites: readonly { chain: SoakChain; campaignIds: readonly string[] }[]
  perS: number
  /** Live parts of pages that are open at a time. */
  viewers: number
  /** Marks an address as verified, in place of the mailed code. */
  verify(email: string): Promise<unknown>
}

/** Times since the last call of `take`, in milliseconds. */
export type Times = { record: number[]; list: number[] }

export type Load = {
  /** The ids of all donations that were answered with 201, and the units that they paid. */
  readonly acknowledged: ReadonlyMap<string, bigint>
  /** Answers that no client expects, by their text. */
  readonly faults: ReadonlyMap<string, number>
  take(): Times
  /** Ends when all begun donations are recorded. */
  stop(): Promise<void>
}

const WALLETS = 9
const RETRY_MS = 200
/** A client that was refused tries again for this time, which is longer than a failover. */
const PATIENCE_MS = 60_000
/** An access token is valid for 15 minutes. */
const SIGN_IN_EVERY_MS = 480_000
const READERS = 3
const READ_PAUSE_MS = 1_500
const VIEW_MS = { min: 10_000, max: 90_000 }
const CENT_UNITS = 10_000n
const MILLI_ETHER = 10n ** 15n

/** Donors, readers and viewers at a steady rate, until `stop`. */
export const startLoad = async (options: LoadOptions): Promise<Load> => {
  const { origin, sites, perS, verify } = options
  const acknowledged = new Map<string, bigint>()
  const faults = new Map<string, number>()
  const stopping = new AbortController()
  let times: Times = { record: [], list: [] }
  let users = 0
  let token = await signIn(origin, `donor${users++}`, verify)
  const note = (text: string): void => {
    faults.set(text, (faults.get(text) ?? 0) + 1)
  }
  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => {})
  const repeat = async (work: () => Promise<unknown>, pauseMs: number): Promise<void> => {
    while (!stopping.signal.aborted) {
      await work().catch((error: unknown) => {
        const cause = error instanceof Error ? error.cause : undefined
        note(`${messageOf(error)} ${cause === undefined ? '' : messageOf(cause)}`)
      })
      await pause(pauseMs)
    }
  }

  /** Sends the same request until it is answered, and with something else than 503. */
  const post = async (path: string, headers: Record<string, string>, body: object) => {
    const deadline = performance.now() + PATIENCE_MS
    for (;;) {
      const beganMs = performance.now()
      const answer = await fetch(origin + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }).catch(() => null)
      const text = await answer?.text()
      if (answer?.status === 201) times.record.push(performance.now() - beganMs)
      if (answer?.ok) return JSON.parse(text ?? '') as Record<string, { id: string }>
      const mayWait = answer === null || answer.status === 503
      if (!mayWait || performance.now() > deadline) {
        throw new Error(`POST ${path}: ${answer?.status} ${text?.match(/"code":"\w+"/)?.[0]}`)
      }
      await delay(RETRY_MS)
    }
  }

  /** A donor pays and names the hash, in either order, with an account or as a guest. */
  const give = async (index: number): Promise<void> => {
    const site = sites[index % sites.length]
    if (!site) return
    const { chain, campaignIds } = site
    const round = Math.floor(index / sites.length)
    const campaign = round % campaignIds.length
    const currency = round % 4 === 3 ? 'ETH' : 'USDC'
    const count = BigInt(100 + (index % 400))
    const units = count * (currency === 'ETH' ? MILLI_ETHER / 100n : CENT_UNITS)
    const value = (Number(count) / (currency === 'ETH' ? 100_000 : 100)).toString()
    const signed = await chain.sign(1 + (round % WALLETS), accountOf(campaign), currency, units)
    const isGuest = round % 5 === 4
    const send = () => chain.send(signed)
    const sent = round % 3 === 2 ? delay(500).then(send) : send()
    const body = {
      campaignId: campaignIds[campaign],
      amount: { value, currency },
      transaction: { txHash: signed.hash, ledgerAddress: signed.from },
      ...(isGuest ? { donor: { walletAddress: signed.from, name: 'Ada' } } : {}),
    }
    sent.catch(() => {})
    const recorded = post(
      isGuest ? '/v1/donations' : '/api/donations',
      {
        'idempotency-key': signed.hash,
        ...(isGuest ? { 'x-forwarded-for': someAddress() } : { authorization: `Bearer ${token}` }),
      },
      body,
    )
    const answer = await recorded
    const { id } = (isGuest ? answer.data : answer.donation) ?? { id: '' }
    acknowledged.set(id, units)
    await sent
  }
  const donations = new Set<Promise<void>>()
  let given = 0
  const giveNext = async (): Promise<void> => {
    const donation = give(given++).catch((error: unknown) => note(messageOf(error)))
    donations.add(donation)
    void donation.finally(() => donations.delete(donation))
  }

  const read = async (path: string, headers = {}): Promise<void> => {
    const beganMs = performance.now()
    const answer = await fetch(origin + path, {
      // A kept connection may end just when the next request is sent, as fetch does not repeat it.
      headers: { 'x-forwarded-for': someAddress(), connection: 'close', ...headers },
    })
    await answer.arrayBuffer()
    if (path.startsWith('/api/donations')) times.list.push(performance.now() - beganMs)
    // A busy machine may send the request too late.
    if (!answer.ok && ![408, 503].includes(answer.status))
      note(`GET ${path.split('?')[0]}: ${answer.status}`)
  }
  const someCampaign = (): string => {
    const all = sites.flatMap(({ campaignIds }) => campaignIds)
    return all[randomInt(all.length)] ?? ''
  }
  const readSomething = (): Promise<void> => {
    const id = someCampaign()
    const donation = [...acknowledged.keys()].at(-1)
    const paths = [
      `/api/donations?campaignId=${id}&limit=50`,
      `/api/donations?campaignId=${id}&limit=50`,
      '/api/campaigns',
      `/api/campaigns/${id}`,
      '/?lang=de',
      `/c/${id}`,
      ...(donation === undefined ? [] : [`/d/${donation}`]),
    ]
    return read(paths[randomInt(paths.length)] ?? '/')
  }
  /** Keeps a live part or the caller's events open for a while. */
  const view = async (path: () => string, headers: () => object): Promise<void> => {
    const leaving = AbortSignal.timeout(randomInt(VIEW_MS.min, VIEW_MS.max))
    const signal = AbortSignal.any([leaving, stopping.signal])
    try {
      const answer = await fetch(origin + path(), {
        headers: { 'x-forwarded-for': someAddress(), ...headers() },
        signal,
      })
      if (!answer.ok && answer.status !== 503) note(`viewer: ${answer.status}`)
      for await (const _ of answer.body ?? []) {
        // The viewer reads everything at once.
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
  const asUser = () => ({ authorization: `Bearer ${token}` })
  const running = [
    repeat(giveNext, 1_000 / perS),
    ...Array.from({ length: READERS }, () => repeat(readSomething, READ_PAUSE_MS)),
    repeat(() => read('/api/events?limit=100', asUser()), 10_000),
    repeat(() => read('/api/notifications', asUser()), 10_000),
    repeat(() => view(() => '/api/events/stream', asUser), RETRY_MS),
    ...Array.from({ length: options.viewers }, () =>
      repeat(() => view(() => `/c/${someCampaign()}/live?lang=en`, Object), RETRY_MS),
    ),
    pause(SIGN_IN_EVERY_MS).then(() =>
      repeat(async () => {
        token = await signIn(origin, `donor${users++}`, verify)
      }, SIGN_IN_EVERY_MS),
    ),
  ]
  return {
    acknowledged,
    faults,
    take() {
      const taken = times
      times = { record: [], list: [] }
      return taken
    },
    async stop() {
      stopping.abort()
      await Promise.all(running)
      await Promise.all(donations)
    },
  }
}

export const accountOf = (campaign: number): string => campaignAccount(campaign)

/** An address that stands for the network of a visitor. */
const someAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`
