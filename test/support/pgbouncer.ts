import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { freePort, startServer } from '../../src/local/server.ts'
import { newFolder } from './new-folder.ts'

const PROGRAM = '/usr/sbin/pgbouncer'
export const hasPgBouncer = existsSync(PROGRAM)
if (!hasPgBouncer) console.log('Skipped: PgBouncer is not installed (Debian package pgbouncer).')

/**
 * Starts PgBouncer before a server, in transaction mode and with few sessions, so that clients share
 * them. It has no prepared statements (Debian 12 has version 1.18). It stops after the test.
 */
export const startPgBouncer = async (port: number, user: string, settings: string[] = []) => {
  const folder = newFolder()
  const own = await freePort()
  writeFileSync(join(folder, 'users.txt'), `"${user}" ""\n`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    [
      '[databases]',
      `* = host=127.0.0.1 port=${port}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1\nlisten_port = ${own}\nunix_socket_dir =`,
      `auth_type = trust\nauth_file = ${folder}/users.txt`,
      'pool_mode = transaction\ndefault_pool_size = 3\nmax_client_conn = 200',
      ...settings,
    ].join('\n'),
  )
  for (const path of ['', 'users.txt', 'pgbouncer.ini']) chmodSync(join(folder, path), 0o755)
  // PgBouncer refuses to run as root.
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const server = await startServer(
    { file: PROGRAM, args: [...asUser, join(folder, 'pgbouncer.ini')] },
    { name: 'PgBouncer', ready: /process up/ },
  )
  onTestFinished(() => server.stop())
  return {
    port: own,
    urlOf: (database: string) => `postgres://${user}@127.0.0.1:${own}/${database}`,
  }
}
