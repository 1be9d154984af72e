import { readFileSync } from 'node:fs'
import { StartError } from './kernel/errors.ts'

/** `NAME_FILE=/run/secrets/name` stands for `NAME`, for secrets that come as files. */
export const fromFiles = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const result = { ...environment }
  for (const name of ['CHAINS', 'DATABASE_URL', 'SECRET', 'SMTP_URL', 'PRICES']) {
    const path = environment[`${name}_FILE`]
    if (path === undefined || result[name] !== undefined) continue
    try {
      result[name] = readFileSync(path, 'utf8').trim()
    } catch {
      throw new StartError(`Wrong setting: ${name}_FILE names a file that cannot be read: ${path}.`)
    }
  }
  return result
}

/** A variable that is set to nothing is not set. */
export const withoutEmpty = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
