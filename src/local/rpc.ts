/**
 * Calls a JSON-RPC method of the node at `url`. `T` is the type of the result.
 *
 * @throws Error if the node does not answer in time, or answers with an error
 */
export const callNode = async <T = unknown>(
  url: string,
  method: string,
  params: readonly unknown[] = [],
  timeoutMs = 5_000,
): Promise<T> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  // JSON-RPC 2.0, section 5: the reply is an object with either a result or an error.
  const reply = (await response.json()) as { result: T; error?: { message?: string } }
  if (reply.error) throw new Error(`${method}: ${reply.error.message ?? 'unknown error'}`)
  return reply.result
}
