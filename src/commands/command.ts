import { readFileSync } from 'node:fs'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { messageOf, StartError } from '../kernel/errors.ts'

type Work = (words: readonly string[], env?: NodeJS.ProcessEnv) => Promise<number>

/**
 * A program of the command line. Returns the exit code of `work`. Prints the message of its error,
 * and then returns `failed`. Prints `usage` for `--help` and `-h`.
 */
export const command =
  (usage: string, failed: 1 | 2, work: Work): Work =>
  async (words, env) => {
    try {
      if (!words.includes('--help') && !words.includes('-h')) return await work(words, env)
      console.log(usage)
      return 0
    } catch (error) {
      console.error(messageOf(error))
      return failed
    }
  }

/** Parses a command line. Throws StartError with the usage if it is not valid. */
export const parseOptions = <T extends ParseArgsConfig>(config: T, usage: string) => {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new StartError(`${messageOf(error)}\n\n${usage}`)
  }
}

/** Reads a file, or the standard input for `-`. Throws StartError if it cannot be read. */
export const readText = (path: string): string => {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    throw new StartError(`${path} could not be read: ${messageOf(error)}`)
  }
}
