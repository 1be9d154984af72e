import { generateKeyPairSync } from 'node:crypto'
import type { Context } from '../../../db/context.ts'
import type { SigningKey } from '../../../db/schema/users.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { thumbprint } from '../../../verifier/index.ts'

/** A key pair for access tokens, as JWK (RFC 8037). Only the active key signs. */
type StoredSigningKey = Pick<SigningKey, 'kid' | 'publicJwk'> & {
  privateJwk: SigningKey['publicJwk'] & { d: string }
  active: boolean
}

/** The number of the advisory lock that stops two processes from adding a key at once. */
const KEY_LOCK = 7_310_420_118
const ROTATE_AFTER_MS = 90 * 24 * 60 * 60_000
/** A retired key still verifies tokens for this time, and no token is valid for longer. */
const VERIFIES_FOR_MS = 60 * 60_000

/**
 * Returns the keys for access tokens, the active key first. Adds a new active key if the active key
 * is missing or is 90 days old. Several processes may call this function at once.
 *
 * @throws StartError if the keys were encrypted with another SECRET
 */
export const loadSigningKeys = async (ctx: Context): Promise<StoredSigningKey[]> => {
  const rows = await readKeys(ctx)
  if (hasCurrent(ctx, rows)) return rows.map((row) => openKey(ctx, row))
  return rotateSigningKey(ctx, { onlyDue: true })
}

/**
 * Replaces the active key. With `onlyDue`, does so only if the key is at least 90 days old. With
 * `endOld`, the replaced keys verify no token any more.
 */
export const rotateSigningKey = (
  ctx: Context,
  { onlyDue = false, endOld = false } = {},
): Promise<StoredSigningKey[]> =>
  withTransaction(ctx, async (ctx) => {
    await ctx.sql`select pg_advisory_xact_lock(${KEY_LOCK})`
    if (!onlyDue || !hasCurrent(ctx, await readKeys(ctx))) await addKey(ctx)
    if (endOld)
      await ctx.sql`update signing_key set retired_at = 'epoch' where retired_at is not null`
    return (await readKeys(ctx)).map((row) => openKey(ctx, row))
  })

/**
 * Encrypts from now on with the value of SECRET that has encrypted the newest key. So all processes
 * change from SECRET_PREVIOUS to SECRET at the same time.
 *
 * @throws StartError if a key was encrypted with another SECRET
 */
export const followSecret = async (ctx: Pick<Context, 'sql' | 'secrets'>): Promise<void> => {
  const rows = await ctx.sql<Pick<SigningKey, 'privateSealed'>[]>`
    select private_sealed from signing_key order by retired_at nulls first, created_at desc`
  for (const { privateSealed } of rows) ctx.secrets.open(privateSealed)
  if (rows[0]) ctx.secrets.follow(rows[0].privateSealed)
}

const hasCurrent = (ctx: Context, rows: readonly SigningKey[]): boolean => {
  const oldest = ctx.clock.now().getTime() - ROTATE_AFTER_MS
  return rows.some((row) => row.retiredAt === null && row.createdAt.getTime() > oldest)
}

const readKeys = (ctx: Context) => ctx.sql<SigningKey[]>`
  select * from signing_key
  where retired_at is null
     or retired_at > ${new Date(ctx.clock.now().getTime() - VERIFIES_FOR_MS)}
  order by retired_at desc nulls first, created_at desc`

const addKey = async (ctx: Context): Promise<void> => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { x = '', d = '' } = privateKey.export({ format: 'jwk' })
  const jwk = { kty: 'OKP', crv: 'Ed25519', x } as const
  const now = ctx.clock.now()
  await ctx.sql`
    with retired as (update signing_key set retired_at = ${now} where retired_at is null)
    insert into signing_key (kid, public_jwk, private_sealed, created_at)
    values (${thumbprint(jwk)}, ${ctx.sql.json(jwk)},
            ${ctx.secrets.seal(JSON.stringify({ ...jwk, d }))}, ${now})`
}

const openKey = (ctx: Context, row: SigningKey): StoredSigningKey => ({
  kid: row.kid,
  publicJwk: row.publicJwk,
  privateJwk: JSON.parse(ctx.secrets.open(row.privateSealed)) as StoredSigningKey['privateJwk'],
  active: row.retiredAt === null,
})
