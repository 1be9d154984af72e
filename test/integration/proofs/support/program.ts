import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import type { TestApi } from '../../http/support/api.ts'

const PROGRAM = join(import.meta.dirname, '../../../../src/commands/verify-proof.ts')

/**
 * Runs `npm run verify-proof` on a stored proof, with only the keys and a node. Returns the output.
 */
export const verifyByProgram = async (
  api: TestApi,
  donationId: string,
  rpcUrl: string,
): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'fundproof-proof-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const save = async (name: string, path: string): Promise<void> =>
    writeFileSync(join(folder, name), (await api.ask('GET', path)).text)
  await save('proof.json', `/api/donations/${donationId}/proof`)
  await save('jwks.json', '/.well-known/jwks.json')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [PROGRAM, 'proof.json', '--rpc', rpcUrl, '--jwks', 'jwks.json'],
    { cwd: folder, env: { PATH: process.env.PATH } },
  )
  return stdout
}
