import { readFileSync } from 'node:fs'
import { type DatabasePassword, loginOf } from './connect.ts'

/**
 * Reads the password from a file with a `DATABASE_URL`, again for each connection, so that a new
 * password needs no restart. If the file cannot be read, the previous password stays.
 */
export const passwordFrom = (path: string): DatabasePassword => {
  let password = ''
  return () => {
    try {
      password = loginOf(readFileSync(path, 'utf8').trim()).password
    } catch {
      // The file may be half written. The next connection reads it again.
    }
    return password
  }
}
