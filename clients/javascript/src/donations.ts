import type { CallOptions } from './call.ts'
import type { Core } from './core.ts'
import { TimeoutError } from './errors.ts'
import { Donations as GeneratedDonations } from './generated/resources/donations.ts'
import type { Donation } from './generated/types.ts'
import type { Runtime } from './runtime.ts'

/** The options of `waitFor`. */
export type WaitOptions = Omit<CallOptions, 'idempotencyKey' | 'timeout'> & {
  /** The most milliseconds of the whole wait. The default is 15 minutes. */
  timeout?: number | undefined
  /** Sees the donation after each look. */
  onPoll?: ((donation: Donation) => void) | undefined
}

const DEFAULT_WAIT_MS = 15 * 60_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 15_000
const GROWTH = 1.5

const SHORTEST_PAUSE_MS = 250

/** In these states a donation moves on by itself. */
const UNDER_WAY: readonly string[] = ['pending', 'confirming']

/** The calls of donations. */
export class Donations extends GeneratedDonations {
  readonly #runtime: Runtime

  constructor(core: Core) {
    super(core)
    this.#runtime = core.runtime
  }

  /**
   * Asks for a donation until it is no longer pending or confirming, and returns it. Look at its
   * `status`: a donation that failed or expired does not throw.
   *
   * @throws TimeoutError after `timeout`, with the donation as `last`
   * @example const done = await fundproof.donations.waitFor(donation.id, { timeout: 120_000 })
   */
  async waitFor(id: string, options: WaitOptions = {}): Promise<Donation> {
    const { timeout = DEFAULT_WAIT_MS, onPoll, ...call } = options
    const { now, random, sleep } = this.#runtime
    const until = now() + timeout
    for (let polls = 0; ; polls++) {
      const donation = await this.get(id, call)
      onPoll?.(donation)
      if (!UNDER_WAY.includes(donation.status)) return donation
      const leftMs = until - now()
      if (leftMs <= 0) throw timedOut(donation, timeout)
      const pause = pauseAfter(donation, polls, { now: now(), random })
      await sleep(Math.min(pause, leftMs), call.signal)
    }
  }
}

/** The next pause: as long as the service suggests, at most an exponentially growing pause. */
const pauseAfter = (
  donation: Donation,
  polls: number,
  { now, random }: { now: number; random: () => number },
): number => {
  const growing = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * GROWTH ** polls)
  const longest = growing * (0.5 + random() / 2)
  const nextCheckAt = Date.parse(donation.confirmation?.nextCheckAt ?? '')
  return nextCheckAt > now
    ? Math.min(longest, Math.max(SHORTEST_PAUSE_MS, nextCheckAt - now))
    : longest
}

const timedOut = (donation: Donation, timeout: number): TimeoutError =>
  new TimeoutError(
    `Donation ${donation.id} is still ${donation.status} after ${timeout} ms. Wait again, or use a webhook.`,
    { last: donation },
  )
