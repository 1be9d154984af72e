import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from './context.ts'
import { isRetryable } from './errors.ts'

const MAX_TRIES = 5

/**
 * Runs `work` in the open transaction or, if none is open, in a new transaction. Tries a new
 * transaction up to 5 times if PostgreSQL reports a conflict with another transaction. So `work`
 * must have no effects outside the database.
 */
export const withTransaction = async <T>(
  ctx: Context,
  work: (ctx: Context) => Promise<T>,
): Promise<T> => {
  if (ctx.afterCommit) return work(ctx)
  for (let attempt = 1; ; attempt++) {
    const afterCommit: (() => void)[] = []
    try {
      const result = await ctx.pool.begin((sql) => work({ ...ctx, sql, afterCommit }))
      for (const action of afterCommit) action()
      return result as T
    } catch (error) {
      if (!isRetryable(error) || attempt >= MAX_TRIES) throw error
      await delay(Math.random() * 20 * 2 ** attempt)
    }
  }
}

/** Runs `action` after the commit, or now if no transaction is open. */
export const onCommit = (ctx: Context, action: () => void): void => {
  if (ctx.afterCommit) ctx.afterCommit.push(action)
  else action()
}

/** Runs `work` on one snapshot of the database, so that all its reads agree with each other. */
export const withSnapshot = async <T>(
  ctx: Context,
  work: (ctx: Context) => Promise<T>,
): Promise<T> =>
  (await ctx.pool.begin('isolation level repeatable read read only', (sql) =>
    work({ ...ctx, sql }),
  )) as T
