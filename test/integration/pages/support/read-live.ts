import type { Hono } from 'hono'
import { onTestFinished } from 'vitest'

/** Reads the live stream of a page. */
export const readLive = async (site: Hono, path: string) => {
  const answer = await site.request(path)
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  onTestFinished(() => reader?.cancel())
  let text = ''
  const readUntil = async (isThere: () => boolean): Promise<void> => {
    while (!isThere()) {
      const { value } = (await reader?.read()) ?? {}
      if (value === undefined) throw new Error(`The stream has ended after: ${text}`)
      text += value
    }
  }
  return {
    /** Waits until the stream contains this text. */
    shows: (part: string) => readUntil(() => text.includes(part)),
    /** Waits until the stream contains a part at least this number of times. */
    comes: (name: string, times: number) =>
      readUntil(() => text.split(`event: ${name}\n`).length > times),
  }
}
