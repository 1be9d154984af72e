import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')

/**
 * Packs the JavaScript client and installs it into `node_modules` of a folder, as npm does, but
 * without a registry. Packs a copy, because tests run in parallel. Returns the path of the tarball.
 */
export const installPackage = (folder: string): string => {
  const checkout = join(folder, 'checkout')
  for (const part of ['clients/javascript', 'src/verifier', 'tsconfig.json']) {
    cpSync(join(ROOT, part), join(checkout, part), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'))
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(checkout, 'clients/javascript'),
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const tarball = join(folder, /"filename":\s*"([^"]+)"/.exec(packed)?.[1] ?? '')
  execFileSync('tar', ['-xzf', tarball], { cwd: folder })
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@noble'), { recursive: true })
  cpSync(join(folder, 'package'), join(modules, 'fundproof'), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules/@noble/hashes'), join(modules, '@noble/hashes'))
  return tarball
}
