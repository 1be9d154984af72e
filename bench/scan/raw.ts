/** The same calls as a scan makes, without its work: they are only sent, received and parsed. */
export type RawCall = { method: string; params: readonly unknown[] }

const TIMEOUT_MS = 60_000

/** Sends batches, `inFlight` at a time. Returns the results of every batch. */
export const callRaw = async (
  url: string,
  batches: readonly (readonly RawCall[])[],
  inFlight: number,
): Promise<unknown[][]> => {
  const results: unknown[][] = []
  let next = 0
  const sender = async (): Promise<void> => {
    for (;;) {
      const at = next++
      const batch = batches[at]
      if (!batch) return
      results[at] = await send(url, batch)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, sender))
  return results
}

const send = async (url: string, batch: readonly RawCall[]): Promise<unknown[]> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(batch.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const replies = (await response.json()) as { result?: unknown; error?: unknown }[]
  const failed = replies.find(({ error }) => error !== undefined)
  if (failed) throw new Error(JSON.stringify(failed.error))
  return replies.map(({ result }) => result)
}
