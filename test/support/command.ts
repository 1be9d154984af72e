import { vi } from 'vitest'
import type { Ended } from './program.ts'

type Command = (words: readonly string[], env: NodeJS.ProcessEnv) => Promise<number>

/** Runs a command in this process, with only these environment variables. */
export const runCommand = async (
  command: Command,
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> => {
  const ended = { out: '', errors: '' }
  const add = (name: 'out' | 'errors', end: string) => (text: unknown) => {
    ended[name] += `${text}${end}`
    return true
  }
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(add('out', '\n')),
    vi.spyOn(console, 'error').mockImplementation(add('errors', '\n')),
    vi.spyOn(process.stderr, 'write').mockImplementation(add('errors', '')),
  ]
  try {
    const code = await command(words, env)
    return { code, ...ended }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
