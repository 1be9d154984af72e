/** The same calls as a scan makes, as fast as the node answers them: sent, received, parsed, no more. */
export type RawCall = { method: string; params: readonly unknown[] }

const TIMEOUT_MS = 60_000

/** Sends batches, so many at a time; returns every batch's results. */
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
