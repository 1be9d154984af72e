import { chownSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { type Command, runToEnd } from './child.ts'
import { type Account, postgresAccount } from './postgres-account.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { copyBinaries, copyFolder, rememberCopy, rememberedCopy } from './postgres-copies.ts'

/** How a server that does not run as root reaches files that only root can read. */
export type Reach = 'direct' | 'capability' | 'copy'

/** The folder of PostgreSQL's files and the user of its programs. */
export type PostgresHost = {
  /** Holds `data` and `password`; belongs to the account that runs the server. */
  folder: string
  /** Undefined: the user of this process. */
  account: Account | undefined
  reach: Reach
  /** The command that runs `initdb`, `postgres` or a program given by its absolute path. */
  command(program: string, args: string[]): Command
}

const PROBE_TIMEOUT_MS = 10_000
const WAYS: readonly Reach[] = ['direct', 'capability', 'copy']

/**
 * Chooses the folder and the user of PostgreSQL. Root runs it as another user
 * ({@link postgresAccount}), which may be unable to reach the files (a checkout under /root, for
 * example). Tests three ways by running `initdb`:
 *
 * 1. `direct`: without changes.
 * 2. `capability`: with one capability that ignores file permissions (setpriv(1)).
 * 3. `copy`: from copies in /var/lib/fundproof.
 *
 * @param folder an existing folder
 * @param ways the ways to test; default: all
 * @throws StartError if no way works
 */
export const choosePostgresHost = async (
  folder: string,
  binaries: PostgresBinaries,
  log: Log,
  ways: readonly Reach[] = WAYS,
): Promise<PostgresHost> => {
  if (process.getuid?.() !== 0) return hostOf(folder, binaries.folder, undefined, 'direct')
  const account = postgresAccount(join(folder, 'data'))
  const remembered = rememberedCopy(folder)
  let problem = 'it cannot enter the folder'
  if (remembered === undefined) {
    chownSync(folder, account.uid, account.gid)
    for (const way of ways.filter((name) => name !== 'copy')) {
      const host = hostOf(folder, binaries.folder, account, way)
      const probed = await probe(host)
      if (probed.ok) return host
      problem = probed.output
    }
  }
  const isOnlyHere = remembered === undefined && existsSync(join(folder, 'data'))
  if (ways.includes('copy') && !isOnlyHere) {
    const copy = remembered ?? copyFolder(account)
    const host = hostOf(copy, copyBinaries(binaries), account, 'copy')
    const probed = await probe(host)
    if (probed.ok) {
      if (remembered === undefined) rememberCopy(folder, copy)
      log.warn(
        `Postgres runs as ${account.name}, who cannot enter ${folder}: its data is in ${copy}.`,
      )
      return host
    }
    problem = probed.output
  }
  throw new StartError(
    `Postgres refuses to run as root, and ${account.name} cannot use ${folder} ` +
      `(${lastLine(problem)}): set DATA_DIR to a folder that others may enter, or DATABASE_URL.`,
  )
}

/** The last line of a program's output, without a full stop, to be put into a sentence. */
export const lastLine = (output: string): string =>
  (output.trim().split('\n').at(-1) ?? '').trim().replace(/\.$/, '')

const hostOf = (
  folder: string,
  native: string,
  account: Account | undefined,
  reach: Reach,
): PostgresHost => ({
  folder,
  account,
  reach,
  command(program, args) {
    // A clean environment, because PGDATA, PGPORT, LANG and others would change the server.
    const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' }
    const file = program.startsWith('/') ? program : join(native, 'bin', program)
    if (account === undefined) return { file, args, env }
    const { uid, gid } = account
    // initdb returns to its working folder, but the account may be unable to enter ours.
    if (reach !== 'capability') return { file, args, env, uid, gid, cwd: '/' }
    return { file: 'setpriv', args: [...passing(account), file, ...args], env, cwd: '/' }
  },
})

/**
 * Grants only CAP_DAC_OVERRIDE, as an ambient capability that exec keeps (capabilities(7)). The
 * securebit makes access(2) respect it, with which initdb checks its programs.
 */
const passing = ({ uid, gid }: Account): string[] => [
  '--securebits=+no_setuid_fixup',
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
  '--inh-caps=-all,+dac_override',
  '--ambient-caps=-all,+dac_override',
  '--no-new-privs',
]

/** Tests reading (`initdb --show` reads programs and templates) and writing (by a shell). */
const probe = async (host: PostgresHost) => {
  const data = join(host.folder, 'data')
  const shown = await runToEnd(
    host.command('initdb', ['--show', `--pgdata=${data}`]),
    PROBE_TIMEOUT_MS,
  )
  if (!shown.ok) return shown
  const write = host.command('/bin/sh', ['-c', ': > "$1" && rm "$1"', 'sh', `${data}.probe`])
  return await runToEnd(write, PROBE_TIMEOUT_MS)
}
