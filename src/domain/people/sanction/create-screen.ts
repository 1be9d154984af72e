import { createLru } from '../../../kernel/lru.ts'
import { type Clock, hasPassed } from '../../../kernel/ports/clock.ts'
import { noSanctions, type SanctionScreen } from '../../../kernel/ports/sanctions.ts'

type ScreenOptions = {
  list: { has(address: string): boolean } | undefined
  /** Each function asks a contract which addresses are sanctioned, and throws if the call fails. */
  oracles: readonly ((addresses: readonly string[]) => Promise<boolean[]>)[]
  clock: Clock
}

/** An oracle's answer is cached for this time, so a new sanction takes effect within this time. */
const FRESH_FOR_MS = 10 * 60_000
const CACHED_ADDRESSES = 50_000

/** An address is sanctioned on all chains if the list has it or if any oracle reports it. */
export const createSanctionScreen = ({ list, oracles, clock }: ScreenOptions): SanctionScreen => {
  if (!list && oracles.length === 0) return noSanctions
  const known = createLru<{ sanctioned: boolean; askedAtMs: number }>(CACHED_ADDRESSES)
  const fresh = (address: string): boolean | undefined => {
    const entry = known.get(address)
    if (!entry || hasPassed(clock.now().getTime(), entry.askedAtMs, FRESH_FOR_MS)) return undefined
    return entry.sanctioned
  }

  const ask = async (addresses: readonly string[]): Promise<boolean> => {
    const askedAtMs = clock.now().getTime()
    const answers = await Promise.all(oracles.map((oracle) => oracle(addresses)))
    const sanctioned = addresses.map((_, index) => answers.some((answer) => answer[index] === true))
    addresses.forEach((address, index) => {
      known.set(address, { sanctioned: sanctioned[index] === true, askedAtMs })
    })
    return sanctioned.includes(true)
  }

  return {
    active: true,
    isSanctioned(addresses) {
      if (list && addresses.some((address) => list.has(address))) return true
      if (oracles.length === 0) return false
      if (addresses.some((address) => fresh(address) === true)) return true
      const unknown = [...new Set(addresses)].filter((address) => fresh(address) === undefined)
      return unknown.length > 0 && ask(unknown)
    },
  }
}
