import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Builds the package into `dist`, as `npm pack` needs it: this client together with a copy of the
 * verifier of proofs, which the service and the client share.
 */
const HERE = import.meta.dirname
const DIST = join(HERE, 'dist')
const STAGE = join(DIST, 'stage')
const CJS = join(DIST, 'cjs')

rmSync(DIST, { recursive: true, force: true })
cpSync(join(HERE, 'src'), STAGE, { recursive: true })
cpSync(join(HERE, '../../src/verifier'), join(STAGE, 'verifier'), { recursive: true })

const verify = join(STAGE, 'verify.ts')
const text = readFileSync(verify, 'utf8')
writeFileSync(verify, text.replaceAll('../../../src/verifier/', './verifier/'))

const config = join(DIST, 'tsconfig.json')
const entries = ['index', 'webhooks', 'verify'].map((name) => `stage/${name}.ts`)
const compilerOptions = { noEmit: false, rootDir: 'stage', outDir: '.' }
writeFileSync(
  config,
  JSON.stringify({ extends: '../tsconfig.json', compilerOptions, files: entries, include: [] }),
)
execFileSync('tsc', ['-p', config], { stdio: 'inherit' })
rmSync(STAGE, { recursive: true })

// The compiler rewrites the imports in code only, but older compilers cannot read the imports in
// types.
for (const file of readdirSync(DIST, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.d.ts')) continue
  const types = readFileSync(join(DIST, file), 'utf8')
  const rewritten = types.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'")
  writeFileSync(join(DIST, file), rewritten)
  mkdirSync(dirname(join(CJS, file)), { recursive: true })
  writeFileSync(join(CJS, file), rewritten)
}
// Before version 5.8, TypeScript lets `require` load only types that are marked as CommonJS.
writeFileSync(join(CJS, 'package.json'), '{ "type": "commonjs" }\n')
rmSync(config)
