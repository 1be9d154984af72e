import { readFileSync } from 'node:fs'
import { nearestTo } from '../kernel/nearest.ts'

const FILE = '_FILE'
/** Settings that may come from a file, because they are secret or long. */
const AS_FILES = [
  ...['CHAINS', 'DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL', 'SECRET'],
  ...['SECRET_PREVIOUS', 'SMTP_URL', 'PRICES'],
]

/** Reads a setting such as `SECRET` from a file if `SECRET_FILE` names the file. */
export const fromFiles = (
  environment: NodeJS.ProcessEnv,
): { values: NodeJS.ProcessEnv; problems: string[] } => {
  const values = { ...environment }
  const problems: string[] = []
  for (const name of AS_FILES) {
    const path = environment[name + FILE]
    if (path === undefined) continue
    if (values[name] !== undefined) problems.push(`${name} and ${name}_FILE are both set: keep one`)
    else {
      try {
        values[name] = readFileSync(path, 'utf8').trim()
      } catch {
        problems.push(`${name}_FILE names a file that cannot be read: ${path}`)
      }
    }
  }
  return { values, problems }
}

/** Removes empty variables, because an empty variable counts as not set. */
export const withoutEmpty = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))

/** Prefixes that only this service uses. `DATABASE_` is missing: platforms use this prefix, too. */
const OWN =
  /^(BLOCKED|CORS|DEPOSIT|DONATION|INTENT|MULTISIG|RATE_LIMIT|RECONCILE|SANCTIONS|WEBHOOKS)_/
/** Variables of OpenTelemetry and Kubernetes, which never count as misspelt settings. */
const FOREIGN = /^OTEL_|_SERVICE_(HOST|PORT)|_PORT_\d/
const MAX_TYPOS = 2

/**
 * Returns a line for each variable that is probably a misspelt setting: its name begins
 * like one of our settings, but is none, or differs from a setting by at most two letters.
 */
export const misspeltIn = (environment: NodeJS.ProcessEnv, known: readonly string[]): string[] => {
  const taken = new Set([...known, ...AS_FILES.map((name) => name + FILE)])
  return Object.keys(environment).flatMap((name) => {
    if (taken.has(name) || FOREIGN.test(name)) return []
    if (name.endsWith(FILE) && known.includes(name.slice(0, -FILE.length))) {
      return [`${name} is not read: only ${AS_FILES.join(', ')} may come as files`]
    }
    const [nearest, typos] = nearestTo(name, [...taken])
    // A name of one word is never reported, because `HOME` is not a misspelt `HOST`.
    const prefix = firstWord(name)
    const isNear = typos <= MAX_TYPOS && prefix !== '' && nearest.startsWith(prefix)
    if (!isNear && !OWN.test(name)) return []
    return [`${name} is not a setting: the nearest name is ${nearest}`]
  })
}

const firstWord = (name: string): string => name.slice(0, name.indexOf('_') + 1)
