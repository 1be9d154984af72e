/** What a body may repeat of the other columns of its event. */
type Known = { audience: readonly string[]; campaignId: string | null }

type Sent = { id: string; created: string }

/**
 * Texts that many bodies contain. The SQL function `body` has the same list (migration 0004). A
 * character from 1 to 5 in these texts stands for the value of a column.
 */
export const PHRASES: readonly string[] = [
  '{"id":"\u0001","event":"donation.completed","created":"\u0002","data":{"donationId":"',
  '","campaignId":"\u0003","amount":{"value":"',
  '"},"declaredAmount":{"value":"',
  '"},"confirmedAmount":{"value":"',
  '"},"creditedAmount":{"value":"',
  '"},"discrepancy":false,"status":"completed","transaction":{"ledgerTxId":"0x',
  '","timestamp":"',
  '"},"userId":"\u0004","confirmations":',
  '"},"userId":',
  '","currency":"',
  '{"id":"\u0001","event":"',
  '","created":"\u0002","data":{"',
]
/** The character of the first phrase. */
const FIRST = 0x10

/**
 * Shortens the amounts after the first one of a donation. Nearly always they are the same, so that
 * one character stands for the first amount and its currency.
 */
const packAmounts = (text: string): string => {
  const [before = '', first] = text.split('\u0011')
  const [amount, second] = first?.split('\u0012') ?? []
  if (!amount || second === undefined) return text
  const at = before.length + 1 + amount.length
  return text.slice(0, at) + text.slice(at).replaceAll(amount, '\u0006')
}

/**
 * Writes an event as JSON text, with one control character for each value that another column of
 * the event has, and for each phrase. JSON text has no control character of its own, so the SQL
 * function `body` gives back exactly this text.
 */
export const packBody = (envelope: Sent, { audience, campaignId }: Known): string => {
  const values = [envelope.id, envelope.created, campaignId, audience[0], audience[1]]
  const short = values.reduce<string>(
    (text, value, index) => (value ? text.replaceAll(value, String.fromCharCode(index + 1)) : text),
    JSON.stringify(envelope),
  )
  return packAmounts(
    PHRASES.reduce(
      (text, phrase, index) => text.replaceAll(phrase, String.fromCharCode(FIRST + index)),
      short,
    ),
  )
}
