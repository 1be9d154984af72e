import { NATIVE_POSITION } from '../../kernel/formats/log-position.ts'
import { countKept, type Move, unloggedMoves } from '../../verifier/kept.ts'
import type { Log, Receipt, Transfer } from '../types.ts'
import { readTransferLog, readWithdrawalLog } from './erc20.ts'
import { NATIVE_LOG_ADDRESS } from './native-log.ts'

/** Transfers that count, and amounts that left the recipient again in the same transaction. */
export type Received = { transfers: Transfer[]; returned: Transfer[] }

/** A move of an asset; `token` is null for the native currency. */
export type AssetMove = Move & { token: string | null }

/**
 * Lowers the amounts of one transaction's transfers to the amounts that each recipient kept.
 *
 * @param arrived the transfers, in the order of the transaction
 * @param outs every known move of these assets away from these recipients in the transaction
 */
export const keepNet = (arrived: readonly Transfer[], outs: readonly AssetMove[]): Received => {
  if (outs.length === 0) return { transfers: [...arrived], returned: [] }
  const outsOf = Map.groupBy(outs, ({ token, sender }) => keyOf(token, sender))
  const counted = new Map<Transfer, bigint>()
  for (const [key, some] of Map.groupBy(arrived, (moved) => keyOf(moved.token, moved.recipient))) {
    const counts = countKept([...some, ...(outsOf.get(key) ?? [])], some[0]?.recipient ?? '')
    some.forEach((transfer, index) => {
      counted.set(transfer, counts[index] ?? 0n)
    })
  }
  const parts = arrived.map((transfer) => ({ transfer, kept: counted.get(transfer) ?? 0n }))
  return {
    transfers: parts.flatMap(({ transfer, kept }) =>
      kept > 0n ? [{ ...transfer, amount: kept }] : [],
    ),
    returned: parts.flatMap(({ transfer, kept }) =>
      kept < transfer.amount ? [{ ...transfer, amount: transfer.amount - kept }] : [],
    ),
  }
}

/** Logged moves of the transferred assets away from the recipients of these transfers. */
export const outsIn = (
  { logs }: Receipt,
  arrived: readonly Transfer[],
  nativeLogs: boolean,
): AssetMove[] => {
  const [first, ...more] = arrived
  // For most donations the transfer is the only log, so nothing was paid out again.
  if (logs.length === 1 && more.length === 0 && first?.position !== NATIVE_POSITION) return []
  const tokens = new Set(arrived.map(({ token }) => token))
  const wanted = new Set(arrived.map(({ token, recipient }) => keyOf(token, recipient)))
  return movesIn(logs, (token) => tokens.has(token), nativeLogs).filter((move) =>
    wanted.has(keyOf(move.token, move.sender)),
  )
}

/** All moves of the wanted assets that logs show, including withdrawals of WETH. */
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
