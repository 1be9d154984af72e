import { spawn, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../../..')
/** The folder for files that forge's tests read and write. Git ignores this folder. */
export const OUT = join(ROOT, 'test/contracts/out')

export type ForgeRun = { ok: boolean; output: string }

/** The path of forge, from the npm package or from the PATH, or null. */
export const forgeProgram = (): string | null => {
  try {
    const manifest = createRequire(import.meta.url).resolve(
      '@foundry-rs/forge-linux-amd64/package.json',
    )
    return join(dirname(manifest), 'bin', 'forge')
  } catch {
    return spawnSync('forge', ['--version']).status === 0 ? 'forge' : null
  }
}

/** Runs `forge test` with test/contracts/foundry.toml. */
export const forgeTest = (
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ForgeRun> => {
  const child = spawn(program, ['test', '--color', 'never', ...args], {
    cwd: ROOT,
    env: { ...process.env, FOUNDRY_CONFIG: 'test/contracts/foundry.toml', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ ok: code === 0, output }))
  })
}
