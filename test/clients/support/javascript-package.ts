import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PROCESS_ENV, ROOT } from '../../support/program.ts'

const runFile = promisify(execFile)

/**
 * Packs the JavaScript client, and installs the tarball into `node_modules` of a folder as npm
 * does, but without a registry. Packs a copy, so the checkout does not change. Returns the path of
 * the tarball.
 */
export const packClient = async (folder: string): Promise<string> => {
  const checkout = join(folder, 'checkout')
  for (const part of ['clients/javascript', 'src/verifier', 'tsconfig.json']) {
    cpSync(join(ROOT, part), join(checkout, part), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'))
  const { stdout } = await runFile('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(checkout, 'clients/javascript'),
    env: {
      ...process.env,
      ...PROCESS_ENV,
      PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
    },
  })
  const tarball = join(folder, /"filename":\s*"([^"]+)"/.exec(stdout)?.[1] ?? '')
  await runFile('tar', ['-xzf', tarball], { cwd: folder })
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  renameSync(join(folder, 'package'), join(modules, 'fundproof'))
  symlinkSync(join(ROOT, 'node_modules/@noble'), join(modules, '@noble'))
  return tarball
}
