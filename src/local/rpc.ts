type Reply = { result?: unknown; error?: { message?: string } }

/**
 * One JSON-RPC call to a node of our own on this machine.
 *
 * @throws Error on a timeout and on an error of the node
 */
export const callNode = async (
  url: string,
  method: string,
  params: readonly unknown[] = [],
  timeoutMs = 5_000,
): Promise<unknown> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  // JSON-RPC 2.0, section 5: an object with either a result or an error.
  const reply = (await response.json()) as Reply
  if (reply.error) throw new Error(`${method}: ${reply.error.message ?? 'unknown error'}`)
  return reply.result
}

/** The same for a text result. Throws Error for any other result. */
export const callNodeForText = async (
  url: string,
  method: string,
  params: readonly unknown[] = [],
  timeoutMs?: number,
): Promise<string> => {
  const result = await callNode(url, method, params, timeoutMs)
  if (typeof result !== 'string') throw new Error(`${method} did not answer with a text.`)
  return result
}
