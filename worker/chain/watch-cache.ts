import type { WatchList } from '../../src/chain/index.ts'
import type { ChainConfig } from '../../src/config/config.ts'
import type { Context } from '../../src/db/context.ts'
import { listWatchedAccounts } from '../../src/domain/blocks/index.ts'

/**
 * Creates a function that reads the accounts and tokens to watch on a chain. It returns the same
 * object until the accounts change, because callers store values for this object.
 */
export const createWatchCache = ({ id, tokens, nativeLogs }: ChainConfig) => {
  let current: WatchList = {
    accounts: new Set(),
    escrows: new Set(),
    tokens: new Set(tokens.map(({ address }) => address)),
    ...(nativeLogs === undefined ? {} : { nativeLogsFrom: nativeLogs.fromBlock }),
  }
  return async (ctx: Context): Promise<WatchList> => {
    const { accounts, escrows } = await listWatchedAccounts(ctx, id)
    const isSame =
      areEqual(accounts, current.accounts) && areEqual(escrows, current.escrows ?? new Set())
    if (!isSame) current = { ...current, accounts, escrows }
    return current
  }
}

const areEqual = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && one.isSubsetOf(other)
