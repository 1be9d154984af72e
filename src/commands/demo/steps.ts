import { type ApiClient, type Json, poll, type Session } from './client.ts'
import type { Receiver } from './receiver.ts'

const startedAt = Date.now()

/** Prints a line with the seconds since the start. */
export const say = (line: string): void => {
  console.log(`${((Date.now() - startedAt) / 1_000).toFixed(1).padStart(5)} s  ${line}`)
}

/** Throws Error with `promise` if a value is not the expected value. */
export const expectThat = (promise: string, actual: unknown, expected: unknown): void => {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return
  throw new Error(
    `${promise}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(actual)}.`,
  )
}

/** Posts a donation with the hash of its transaction. */
export const donate = async (
  api: ApiClient,
  { userId, token }: Session,
  campaignId: string,
  amount: { value: string; currency: string },
  transaction: { txHash: string; ledgerAddress: string },
): Promise<{ id: string; status: string }> => {
  const body = { userId, campaignId, amount, transaction }
  const { donation } = await api.call('POST', '/api/donations', body, token)
  return donation as { id: string; status: string }
}

/** Waits until a donation is completed. Prints each new reason for the wait. */
export const completed = async (api: ApiClient, donor: Session, id: string): Promise<void> => {
  let shown = ''
  await poll(`Donation ${id} was not completed`, async () => {
    const donation = await api.call('GET', `/api/donations/${id}`, undefined, donor.token)
    if (donation.status === 'completed') return true
    const { reason } = donation.confirmation as { reason: string }
    if (reason !== shown) say(`  … ${donation.status}: ${reason}`)
    shown = reason
    return false
  })
}

/** Waits until a webhook with these data arrives, and returns it. */
export const expectWebhook = ({ events }: Receiver, event: string, data: Json) =>
  poll(`No webhook ${event} arrived`, () =>
    events.find(
      (received) =>
        received.event === event &&
        Object.entries(data).every(([name, value]) => received.data[name] === value),
    ),
  )
