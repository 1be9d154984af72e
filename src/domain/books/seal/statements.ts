import { createPublicKey, sign, verify } from 'node:crypto'
import type { Context } from '../../../db/context.ts'
import { StartError } from '../../../kernel/errors.ts'
import type { ProofKey } from '../../../verifier/index.ts'
import { findLostHead } from './lost-heads.ts'
import { openSealKey, SEAL_LOCK } from './seal-keys.ts'

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part = ''): string => Buffer.from(part, 'base64url').toString()

/**
 * Signs an operator's statement with the key that signs seals. Runs in the caller's transaction.
 * Returns a compact JWS (RFC 7515, with EdDSA of RFC 8037) whose payload is the statement as JSON.
 *
 * @throws StartError while a restore of the ledger is not confirmed
 */
export const signStatement = async (ctx: Context, statement: object): Promise<string> => {
  await ctx.sql`select pg_advisory_xact_lock(${SEAL_LOCK})`
  if (await findLostHead(ctx)) throw new StartError(RESTORED)
  const { kid, privateKey } = await openSealKey(ctx)
  const signed = `${encode({ alg: 'EdDSA', kid })}.${encode(statement)}`
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
}

const RESTORED =
  'The ledger was restored, so nothing is signed. Confirm the restore first: `npm run admin -- restored`.'

/** Returns the JSON of a statement that one of the keys has signed, or undefined. */
export const signedStatement = (jws: string, keys: readonly ProofKey[]): string | undefined => {
  const [header, payload, signature = ''] = jws.split('.')
  const key = keys.find(({ kid }) => decode(header) === JSON.stringify({ alg: 'EdDSA', kid }))
  if (!key) return undefined
  const publicKey = createPublicKey({ key: { ...key }, format: 'jwk' })
  const signed = Buffer.from(`${header}.${payload}`)
  const isValid = verify(null, signed, publicKey, Buffer.from(signature, 'base64url'))
  return isValid ? decode(payload) : undefined
}
