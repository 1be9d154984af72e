import { readFileSync, statSync } from 'node:fs'
import { StartError } from '../kernel/errors.ts'

/** A system user that runs a program. */
export type Account = { name: string; uid: number; gid: number }

/**
 * The user as which root starts Postgres, which refuses to run as root: the owner of existing data
 * (so that a person and root can use the same checkout), or `postgres`, or the system's
 * unprivileged user.
 *
 * @throws StartError if the system has none of them
 */
export const postgresAccount = (dataFolder: string): Account =>
  ownerOf(dataFolder) ?? serviceAccount()

const ownerOf = (folder: string): Account | undefined => {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined || found.uid === 0) return undefined
  return { name: `user ${found.uid}`, uid: found.uid, gid: found.gid }
}

const serviceAccount = (): Account => {
  // passwd(5): name:password:uid:gid:comment:home:shell
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find((user) => user[0] === name) ?? []
    if (uid !== undefined && gid !== undefined && uid !== '0') {
      return { name, uid: Number(uid), gid: Number(gid) }
    }
  }
  throw new StartError(
    'Postgres refuses to run as root and there is no user postgres or nobody: ' +
      'start as another user, or set DATABASE_URL.',
  )
}
