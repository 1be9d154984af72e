import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartError } from '../kernel/errors.ts'
import { runToEnd } from './child.ts'

const VERSION_TIMEOUT_MS = 10_000

/**
 * Finds Anvil: the npm package of this platform, or an `anvil` on the PATH.
 *
 * @returns its path, or its bare name
 * @throws StartError with instructions to install it
 */
export const findAnvil = async (): Promise<string> => {
  const installed = fromPackage()
  if (installed !== undefined) return installed
  const found = await runToEnd({ file: 'anvil', args: ['--version'] }, VERSION_TIMEOUT_MS)
  if (found.ok) return 'anvil'
  throw new StartError(
    'No development chain for this machine: install Foundry (https://getfoundry.sh) ' +
      'so that `anvil` is on the PATH, or set CHAINS.',
  )
}

const fromPackage = (): string | undefined => {
  const machine = process.arch === 'x64' ? 'amd64' : process.arch
  const name = `@foundry-rs/anvil-${process.platform}-${machine}`
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
    const program = join(dirname(manifest), 'bin', 'anvil')
    return existsSync(program) ? program : undefined
  } catch {
    return undefined
  }
}
