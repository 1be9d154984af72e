import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Context } from '../../../db/context.ts'
import type { LedgerSeal, SealKey as SealKeyRow } from '../../../db/schema/seals.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { type ProofKey, thumbprint } from '../../../verifier/index.ts'

export type SealKey = { kid: string; privateKey: KeyObject }

/** An arbitrary id for the advisory lock that lets only one process seal at a time. */
export const SEAL_LOCK = 7_310_420_123

const ROTATE_AFTER_MS = 365 * 24 * 60 * 60_000

/**
 * Returns the key that signs seals. Creates a key for the first seal, and a new key after a year.
 * Access tokens have other keys, because tokens are valid for minutes, but seals for ever. The
 * caller must hold the sealing lock, so that only one process creates a key.
 *
 * @throws StartError if the key was encrypted with another SECRET
 */
export const openSealKey = async (ctx: Context): Promise<SealKey> => {
  const [newest] = await ctx.sql<Pick<SealKeyRow, 'kid' | 'privateSealed' | 'createdAt'>[]>`
    select kid, private_sealed, created_at from seal_key order by created_at desc, kid limit 1`
  const oldest = ctx.clock.now().getTime() - ROTATE_AFTER_MS
  if (!newest || newest.createdAt.getTime() <= oldest) return addSealKey(ctx)
  const jwk = JSON.parse(ctx.secrets.open(newest.privateSealed)) as JsonWebKey
  return { kid: newest.kid, privateKey: createPrivateKey({ key: { ...jwk }, format: 'jwk' }) }
}

/** Starts a new key at once, for example because the current key is known to others. */
export const rotateSealKey = (ctx: Context): Promise<SealKey> =>
  withTransaction(ctx, async (ctx) => {
    await ctx.sql`select pg_advisory_xact_lock(${SEAL_LOCK})`
    return addSealKey(ctx)
  })

/** Creates the key that signs from now on. The replaced keys still verify their signatures. */
export const addSealKey = async (ctx: Context): Promise<SealKey> => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { x = '', d = '' } = privateKey.export({ format: 'jwk' })
  const jwk = { kty: 'OKP', crv: 'Ed25519', x } as const
  const kid = thumbprint(jwk)
  await ctx.sql`
    insert into seal_key (kid, public_jwk, private_sealed, created_at)
    select ${kid}, ${ctx.sql.json(jwk)}, ${ctx.secrets.seal(JSON.stringify({ ...jwk, d }))},
           greatest(${ctx.clock.now()}::timestamptz, max(created_at) + interval '1 ms')
    from seal_key`
  return { kid, privateKey }
}

type JsonWebKey = { kty: string; crv: string; x: string; d: string }

/** All public keys that ever signed a seal, the newest first. */
export const listSealKeys = async (ctx: Pick<Context, 'sql'>): Promise<ProofKey[]> => {
  const rows = await ctx.sql<Pick<SealKeyRow, 'kid' | 'publicJwk'>[]>`
    select kid, public_jwk from seal_key order by created_at desc, kid`
  return rows.map(({ kid, publicJwk }) => ({ ...publicJwk, kid }))
}

/** The newest head of each key that has been replaced. A later head of this key is not genuine. */
export const listLastHeads = ({ sql }: Pick<Context, 'sql'>) =>
  sql<Pick<LedgerSeal, 'campaignId' | 'seq' | 'head' | 'globalHead' | 'keyId' | 'sealedAt'>[]>`
    select last.campaign_id, last.seq, last.head, last.global_head, last.key_id, last.sealed_at
    from seal_key
    join lateral (select * from ledger_seal where key_id = kid order by id desc limit 1) last on true
    where created_at < (select max(created_at) from seal_key)`
