import { z } from 'zod'
import { StartError } from '../../kernel/errors.ts'
import type { RememberedHead } from './check-seals.ts'

const Head = z.object({
  campaignId: z.uuid(),
  seq: z.int().min(1),
  head: z.string().regex(/^0x[0-9a-f]{64}$/),
})
const INLINE = /^([0-9a-f-]{36}):(\d{1,9}):(0x[0-9a-f]{64})$/

/**
 * Heads that somebody kept: `<campaign>:<seq>:<head>`, or the JSON that the interface gave, one or a
 * list of them. Throws StartError.
 */
export const parseRememberedHeads = (text: string): RememberedHead[] => {
  const [, campaignId, seq, head] = INLINE.exec(text.trim()) ?? []
  if (campaignId && seq && head) return [{ campaignId, seq: Number(seq), head }]
  try {
    const parsed: unknown = JSON.parse(text)
    return z.array(Head).parse(Array.isArray(parsed) ? parsed : [parsed])
  } catch {
    throw new StartError('A remembered head is neither <campaign>:<seq>:<head> nor such JSON.')
  }
}
