import { z } from 'zod'
import { StartError } from '../../../kernel/errors.ts'
import { isSigned, type ProofKey, thumbprint } from '../../../verifier/index.ts'

const Hash = z.string().regex(/^0x[0-9a-f]{64}$/, 'is no hash')
const Head = z.object({ campaignId: z.uuid(), seq: z.int().min(1), head: Hash })
/** The head of a seal, kept outside the database to reveal later changes of the ledger. */
export type RememberedHead = z.output<typeof Head>

/** The complete answer of GET /api/campaigns/:id/ledger/head. */
export const SignedHead = Head.extend({
  entries: z.int().min(1),
  globalHead: Hash,
  signature: z.string(),
  keyId: z.string(),
  sealedAt: z.iso.datetime(),
})
export type SignedHead = z.output<typeof SignedHead>

const INLINE = /^([0-9a-f-]{36}):(\d{1,9}):(0x[0-9a-f]{64})$/

/**
 * Parses one head (`<campaign>:<seq>:<head>` or JSON) or a JSON list of heads.
 *
 * @throws StartError if the text has none of these forms
 */
export const parseRememberedHeads = (text: string): RememberedHead[] => {
  const [, campaignId, seq, head] = INLINE.exec(text.trim()) ?? []
  if (campaignId && seq && head) return [{ campaignId, seq: Number(seq), head }]
  try {
    const parsed: unknown = JSON.parse(text)
    return z.array(Head).parse(Array.isArray(parsed) ? parsed : [parsed])
  } catch {
    throw new StartError(
      'A remembered head must be a file with the JSON of a head, or <campaign>:<seq>:<head>.',
    )
  }
}

/** @throws StartError if the text is not an answer of GET /api/campaigns/:id/ledger/head */
export const parseSignedHead = (text: string): SignedHead => {
  const { data, error } = SignedHead.safeParse(jsonOf(text))
  if (data) return data
  const [issue] = error.issues
  const where = issue?.path.length ? `${issue.path.join('.')}: ` : ''
  throw new StartError(
    `This is not a signed head (${where}${issue?.message}). Keep the unchanged answer of GET /api/campaigns/<id>/ledger/head.`,
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
 * Accepts a head only if one of the service's keys signed it. The id of a key is a hash of the key,
 * so another key under the same id is refused.
 *
 * @throws StartError if the head's key is not in `keys`, or if the signature is not valid
 */
export const assertSigned = async (kept: SignedHead, keys: readonly ProofKey[]): Promise<void> => {
  const key = keys.find((key) => key.kid === kept.keyId && thumbprint(key) === key.kid)
  if (!key) {
    throw new StartError(
      `The head names the key ${kept.keyId}, which this database does not have. The head belongs to another deployment or network, or the keys of this database were replaced: compare them with the keys of /.well-known/jwks.json that you kept.`,
    )
  }
  if (await isSigned(kept, kept.campaignId, key)) return
  throw new StartError(
    `The signature of the head is not valid under the key ${kept.keyId}: the file was changed since the service gave it out.`,
  )
}
