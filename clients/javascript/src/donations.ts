import type { CallOptions } from './call.ts'
import { type Core, limit } from './core.ts'
import { ApiError, FundproofError, TimeoutError } from './errors.ts'
import { Donations as GeneratedDonations } from './generated/resources/donations.ts'
import type { Donation } from './generated/types.ts'
import { knowsOnly } from './known-names.ts'
import { isRetryable } from './retry.ts'

/** The options of `waitFor`. */
export type WaitOptions = Pick<CallOptions, 'signal' | 'headers'> & {
  /** The longest wait in milliseconds. The default is 15 minutes. */
  timeout?: number | undefined
  /** Gets the donation after each request. */
  onPoll?: ((donation: Donation) => void) | undefined
}

const DEFAULT_WAIT_MS = 15 * 60_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 15_000
const GROWTH = 1.5

const SHORTEST_PAUSE_MS = 250
/** The time limit of the last request, which is sent when the wait is over. */
const SHORTEST_LOOK_MS = 1_000

/** The statuses that a donation leaves without an action of the donor. */
const UNDER_WAY: readonly string[] = ['pending', 'confirming']

/** The calls of donations. */
export class Donations extends GeneratedDonations {
  readonly #core: Core

  constructor(core: Core) {
    super(core)
    this.#core = core
  }

  /**
   * Asks for a donation until it is no longer pending or confirming, and returns it. Look at its
   * `status`: a donation that failed or expired does not throw. Waits while the service is away.
   *
   * @throws TimeoutError after `timeout`, with the donation as `last` and the last error as `cause`
   * @example const done = await fundproof.donations.waitFor(donation.id, { timeout: 120_000 })
   */
  async waitFor(id: string, options: WaitOptions = {}): Promise<Donation> {
    const { timeout = DEFAULT_WAIT_MS, onPoll, ...call } = options
    limit('timeout', timeout, 0)
    knowsOnly(call, ['signal', 'headers'])
    const { now, random, sleep } = this.#core.runtime
    const until = now() + timeout
    let last: Donation | undefined
    for (let polls = 0; ; polls++) {
      const most = Math.max(SHORTEST_LOOK_MS, until - now())
      const look = { timeout: Math.min(this.#core.timeout, most), maxRetries: 0 }
      const seen = await this.#look(id, { ...call, ...look })
      if (!(seen instanceof FundproofError)) {
        last = seen
        onPoll?.(last)
        if (!UNDER_WAY.includes(last.status)) return last
      }
      const leftMs = until - now()
      if (leftMs <= 0) {
        const state = last ? `is still ${last.status}` : 'could not be read'
        const message = `Donation ${id} ${state} after ${timeout} ms. Wait again, or use a webhook.`
        throw new TimeoutError(message, { last, cause: seen instanceof Error ? seen : undefined })
      }
      const growing = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * GROWTH ** polls)
      const pause = pauseAfter(seen, growing * (0.5 + random() / 2), now())
      await sleep(Math.min(pause, leftMs), call.signal)
    }
  }

  /** Returns the donation, or an error that may not last. */
  async #look(id: string, call: CallOptions): Promise<Donation | FundproofError> {
    try {
      return await this.get(id, call)
    } catch (error) {
      if (error instanceof FundproofError && isRetryable(error)) return error
      throw error
    }
  }
}

/**
 * The next pause: `longest`, or less if the service checks the donation earlier, or the time in
 * `Retry-After`.
 */
const pauseAfter = (seen: Donation | FundproofError, longest: number, now: number): number => {
  if (seen instanceof FundproofError) {
    return Math.max(longest, (seen instanceof ApiError && seen.retryAfter) || 0)
  }
  const nextCheckAt = Date.parse(seen.confirmation?.nextCheckAt ?? '')
  return nextCheckAt > now
    ? Math.min(longest, Math.max(SHORTEST_PAUSE_MS, nextCheckAt - now))
    : longest
}
