import { chownSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { type Command, runToEnd } from './child.ts'
import { type Account, postgresAccount } from './postgres-account.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { copyBinaries, copyFolder, rememberCopy, rememberedCopy } from './postgres-copies.ts'

/** How a server that must not be root gets at files that only root can reach. */
export type Reach = 'direct' | 'capability' | 'copy'

/** Where PostgreSQL's files are and as whom its programs run. */
export type PostgresHost = {
  /** Holds `data` and `password`; belongs to the account that runs the server. */
  folder: string
  /** Undefined: as ourselves. */
  account: Account | undefined
  reach: Reach
  /** The command that runs `initdb`, `postgres` or a program given by its absolute path. */
  command(program: string, args: string[]): Command
}

const PROBE_TIMEOUT_MS = 10_000
const WAYS: readonly Reach[] = ['direct', 'capability', 'copy']

/**
 * Decides where and as whom PostgreSQL runs. Started by root it runs as another account
 * ({@link postgresAccount}). Where that account cannot reach the files (a checkout under /root or
 * in a 0700 folder), three ways are tried, each by really running `initdb`: as it is; with the one
 * capability that lets it pass (setpriv(1)); from copies in /var/lib/fundproof.
 *
 * @param folder exists already
 * @param ways which of the three to try; all by default
 * @throws StartError when no way works
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
    // Nothing of our environment: PGDATA, PGPORT, LANG and the like would change the server.
    const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' }
    const file = program.startsWith('/') ? program : join(native, 'bin', program)
    if (account === undefined) return { file, args, env }
    const { uid, gid } = account
    // Our own working folder may be out of the account's reach; initdb wants to return to it.
    if (reach !== 'capability') return { file, args, env, uid, gid, cwd: '/' }
    return { file: 'setpriv', args: [...passing(account), file, ...args], env, cwd: '/' }
  },
})

/**
 * CAP_DAC_OVERRIDE and nothing else, kept over exec as an ambient capability (capabilities(7)).
 * The securebit keeps it in force for access(2) too, by which initdb checks its programs.
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

/** `initdb --show` finds its programs and reads its templates; the shell writes to the folder. */
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
