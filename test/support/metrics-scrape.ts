import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Returns a port on which no process listens. */
export const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Reads `/metrics`: values by series, which are names with their labels. */
export const scrape = async (port: number): Promise<Map<string, number>> =>
  readSeries(await scrapeText(port))

export const scrapeText = async (port: number): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}`)
  return await response.text()
}

export const readSeries = (text: string): Map<string, number> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const at = line.lastIndexOf(' ')
        return [line.slice(0, at), Number(line.slice(at + 1))]
      }),
  )
