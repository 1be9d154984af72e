import { z } from 'zod'
import { StartError } from '../../kernel/errors.ts'
import { isSigned, type ProofKey, thumbprint } from '../../verifier/index.ts'

const Hash = z.string().regex(/^0x[0-9a-f]{64}$/, 'is no hash')
const Head = z.object({ campaignId: z.uuid(), seq: z.int().min(1), head: Hash })
/** A head that was kept outside, as GET /api/campaigns/:id/ledger/head gave it. */
export type RememberedHead = z.output<typeof Head>

/** All that GET /api/campaigns/:id/ledger/head gives. */
const SignedHead = Head.extend({
  entries: z.int().min(1),
  globalHead: Hash,
  signature: z.string(),
  keyId: z.string(),
  sealedAt: z.iso.datetime(),
})
export type SignedHead = z.output<typeof SignedHead>

const INLINE = /^([0-9a-f-]{36}):(\d{1,9}):(0x[0-9a-f]{64})$/

/**
 * Heads that were kept: `<campaign>:<seq>:<head>`, or the JSON that the interface gave, one or a list
 * of them. Throws StartError.
 */
export const parseRememberedHeads = (text: string): RememberedHead[] => {
  const [, campaignId, seq, head] = INLINE.exec(text.trim()) ?? []
  if (campaignId && seq && head) return [{ campaignId, seq: Number(seq), head }]
  try {
    const parsed: unknown = JSON.parse(text)
    return z.array(Head).parse(Array.isArray(parsed) ? parsed : [parsed])
  } catch {
    throw new StartError(
      'A remembered head is neither a file with such JSON nor <campaign>:<seq>:<head>.',
    )
  }
}

/** One head, as GET /api/campaigns/:id/ledger/head gave it. Throws StartError. */
export const parseSignedHead = (text: string): SignedHead => {
  const { data, error } = SignedHead.safeParse(jsonOf(text))
  if (data) return data
  const [issue] = error.issues
  const where = issue?.path.length ? `${issue.path.join('.')}: ` : ''
  throw new StartError(
    `This is not a signed head (${where}${issue?.message}). Keep the answer of GET /api/campaigns/<id>/ledger/head as it is.`,
  )
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new StartError('This is not JSON.')
  }
}

/**
 * Throws StartError unless one of the service's keys has signed the head. A key's id is the hash of
 * the key, so a key that was replaced under its id is not taken.
 */
export const assertSigned = async (kept: SignedHead, keys: readonly ProofKey[]): Promise<void> => {
  const key = keys.find((key) => key.kid === kept.keyId && thumbprint(key) === key.kid)
  if (!key) {
    throw new StartError(
      `The head names the key ${kept.keyId}, which this database does not have. The head is of another deployment or network, or the keys of this database were replaced: compare them with the keys of /.well-known/jwks.json that you kept.`,
    )
  }
  if (await isSigned(kept, kept.campaignId, key)) return
  throw new StartError(
    `The signature of the head does not hold under the key ${kept.keyId}: the file is not what the service gave out.`,
  )
}
