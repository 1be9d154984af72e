import { NATIVE_POSITION } from '../../kernel/log-position.ts'
import { countKept, type Move, unloggedMoves } from '../../verifier/kept.ts'
import type { Log, Receipt, Transfer } from '../types.ts'
import { readTransferLog, readWithdrawalLog } from './erc20.ts'
import { NATIVE_LOG_ADDRESS } from './native-log.ts'

/** Transfers in the amounts that count, and what of them was returned within its transaction. */
export type Received = { transfers: Transfer[]; returned: Transfer[] }

/** A move of an asset; `token` is null for the chain's own currency. */
export type AssetMove = Move & { token: string | null }

/**
 * Lowers what arrived in one transaction to what each recipient kept of each asset.
 *
 * @param arrived in the order of the transaction
 * @param outs every known move of these assets away from these recipients in the transaction
 */
export const keepNet = (arrived: readonly Transfer[], outs: readonly AssetMove[]): Received => {
  if (outs.length === 0) return { transfers: [...arrived], returned: [] }
  const outsOf = Map.groupBy(outs, ({ token, sender }) => keyOf(token, sender))
  const counted = new Map<Transfer, bigint>()
  for (const [key, some] of Map.groupBy(arrived, (one) => keyOf(one.token, one.recipient))) {
    const counts = countKept([...some, ...(outsOf.get(key) ?? [])], some[0]?.recipient ?? '')
    some.forEach((one, index) => {
      counted.set(one, counts[index] ?? 0n)
    })
  }
  const parts = arrived.map((one) => ({ one, kept: counted.get(one) ?? 0n }))
  return {
    transfers: parts.flatMap(({ one, kept }) => (kept > 0n ? [{ ...one, amount: kept }] : [])),
    returned: parts.flatMap(({ one, kept }) =>
      kept < one.amount ? [{ ...one, amount: one.amount - kept }] : [],
    ),
  }
}

/** By which logs of a receipt recipients of its transfers paid out what they got. */
export const outsIn = (
  { logs }: Receipt,
  arrived: readonly Transfer[],
  nativeLogs: boolean,
): AssetMove[] => {
  const [first, ...more] = arrived
  // As most donations are: the only log is the transfer itself.
  if (logs.length === 1 && more.length === 0 && first?.position !== NATIVE_POSITION) return []
  const tokens = new Set(arrived.map((one) => one.token))
  const wanted = new Set(arrived.map((one) => keyOf(one.token, one.recipient)))
  return movesIn(logs, (token) => tokens.has(token), nativeLogs).filter((move) =>
    wanted.has(keyOf(move.token, move.sender)),
  )
}

/** Every move of some assets that logs show. */
export const movesIn = (
  logs: readonly Log[],
  isWanted: (token: string | null) => boolean,
  nativeLogs: boolean,
): AssetMove[] => {
  const moves: AssetMove[] = []
  const withdrawn: Omit<AssetMove, 'recipient'>[] = []
  for (const log of logs) {
    const token = nativeLogs && log.address === NATIVE_LOG_ADDRESS ? null : log.address
    if (!isWanted(token)) continue
    const move = readTransferLog(log)
    if (move) moves.push({ ...move, token })
    const withdrawal = readWithdrawalLog(log)
    if (withdrawal) withdrawn.push({ ...withdrawal, token })
  }
  const unlogged = [...Map.groupBy(withdrawn, ({ token }) => token)].flatMap(([token, some]) =>
    unloggedMoves(
      moves.filter((move) => move.token === token),
      some,
    ).map((move) => ({ ...move, token })),
  )
  return [...moves, ...unlogged]
}

const keyOf = (token: string | null, account: string): string => `${token} ${account}`
