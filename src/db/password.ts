import { readFileSync } from 'node:fs'
import postgres from 'postgres'

/** Returns the password of a database for a new connection. */
export type DatabasePassword = () => string

/**
 * Reads the password from a file with a `DATABASE_URL`, again for each connection, so that a new
 * password needs no restart. If the file cannot be read, the previous password stays.
 */
export const passwordFrom = (path: string): DatabasePassword => {
  let password = ''
  return () => {
    try {
      password = String(postgres(readFileSync(path, 'utf8').trim()).options.pass)
    } catch {
      // The file may be half written. The next connection reads it again.
    }
    return password
  }
}
