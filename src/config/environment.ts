import { readFileSync } from 'node:fs'
import { nearestTo } from '../kernel/nearest.ts'

const FILE = '_FILE'
/** The settings that hold secrets, or are long. */
const AS_FILES = ['CHAINS', 'DATABASE_URL', 'SECRET', 'SMTP_URL', 'PRICES']

/** `NAME_FILE=/run/secrets/name` stands for `NAME`, for secrets that come as files. */
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

/** A variable that is set to nothing is not set. */
export const withoutEmpty = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))

/** Beginnings that are ours alone. Others, such as `DATABASE_`, also begin names of a platform. */
const OWN =
  /^(BLOCKED|CORS|DEPOSIT|DONATION|INTENT|MULTISIG|RATE_LIMIT|RECONCILE|SANCTIONS|WEBHOOKS)_/
/** Read by the exporter of traces, or set by Kubernetes for each service of a namespace. */
const FOREIGN = /^OTEL_|_SERVICE_(HOST|PORT)|_PORT_\d/
const MAX_TYPOS = 2

/**
 * One line for each variable that is probably a setting with a wrong name: it has a beginning of
 * ours, or it shares its first word with a setting and differs in at most two letters.
 */
export const misspeltIn = (environment: NodeJS.ProcessEnv, known: readonly string[]): string[] => {
  const taken = new Set([...known, ...AS_FILES.map((name) => name + FILE)])
  return Object.keys(environment).flatMap((name) => {
    if (taken.has(name) || FOREIGN.test(name)) return []
    if (name.endsWith(FILE) && known.includes(name.slice(0, -FILE.length))) {
      return [`${name} is not read: only ${AS_FILES.join(', ')} may come as files`]
    }
    const [nearest, typos] = nearestTo(name, [...taken])
    // Only of several words: `HOME` is no mistake for `HOST`.
    const prefix = firstWord(name)
    const isNear = typos <= MAX_TYPOS && prefix !== '' && nearest.startsWith(prefix)
    if (!isNear && !OWN.test(name)) return []
    return [`${name} is not a setting: the nearest name is ${nearest}`]
  })
}

const firstWord = (name: string): string => name.slice(0, name.indexOf('_') + 1)
