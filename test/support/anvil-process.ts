import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

export type Anvil = {
  url: string
  call<T>(method: string, params?: readonly unknown[]): Promise<T>
  close(): Promise<void>
}

/** The first account of Anvil's well-known development mnemonic. */
export const FUNDED_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

/** The path of the program in the npm package, or null on a platform without it. */
export const anvilProgram = (): string | null => {
  try {
    const manifest = createRequire(import.meta.url).resolve(
      '@foundry-rs/anvil-linux-amd64/package.json',
    )
    return join(dirname(manifest), 'bin', 'anvil')
  } catch {
    return null
  }
}

/** Starts a development chain on a free port. */
export const startAnvil = async (program: string, options: readonly string[]): Promise<Anvil> => {
  const child = spawn(program, ['--port', '0', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('anvil did not start')))
    createInterface(child.stdout).on('line', (line) => {
      const address = /Listening on (\S+)/.exec(line)?.[1]
      if (address) resolve(`http://${address}`)
    })
  })
  return {
    url,
    async call<T>(method: string, params: readonly unknown[] = []) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      const reply = (await response.json()) as { result: T; error?: { message: string } }
      if (reply.error) throw new Error(`${method}: ${reply.error.message}`)
      return reply.result
    },
    async close() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
