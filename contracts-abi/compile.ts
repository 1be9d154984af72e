import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

export type Settings = {
  optimizer: { enabled: boolean; runs: number }
  evmVersion: string
  viaIR?: boolean
  metadata?: { bytecodeHash: 'none' }
}
type Place = { start: number; length: number }
type Code = { object: string }
export type CompiledContract = {
  abi: unknown[]
  evm: {
    bytecode: Code
    deployedBytecode: Code & { immutableReferences: Record<string, Place[]> }
  }
}

/** Solidity's standard JSON input. It names every source, so a block explorer can compile it. */
export type StandardInput = {
  language: 'Solidity'
  sources: Record<string, { content: string }>
  settings: Settings & { outputSelection: Record<string, Record<string, string[]>> }
}
type Output = {
  errors?: { severity: string; errorCode: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, CompiledContract>>
}
export type Compilation = {
  compiler: string
  input: StandardInput
  /** By source and then by contract. */
  contracts: Record<string, Record<string, CompiledContract>>
}

type ReadImport = (path: string) => { contents: string } | { error: string }
type Solc = {
  version(): string
  compile(input: string, callbacks?: { import: ReadImport }): string
}

/** A general warning about transient storage. It calls reentrancy guards, as we use them, safe. */
const TRANSIENT_STORAGE = '2394'

const OUTPUTS = [
  'abi',
  'evm.bytecode.object',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.immutableReferences',
]

/**
 * Compiles a source of this folder and everything that it imports, with the `solc` package. The
 * input of the compilation contains all these sources.
 *
 * @throws Error with the compiler's messages, warnings included
 */
export const compileSource = (source: string, settings: Settings): Compilation => {
  const sources = { [source]: { content: readSource(source) } }
  // Without outputs, solc only reads the sources.
  runSolc(inputOf(sources, { ...settings, outputSelection: {} }), (path) => {
    const content = readSource(path)
    sources[path] = { content }
    return { contents: content }
  })
  const own = Object.keys(sources).filter((path) => !path.startsWith('@'))
  const outputSelection = Object.fromEntries(own.sort().map((path) => [path, { '*': OUTPUTS }]))
  const input = sorted(inputOf(sources, { ...settings, outputSelection }))
  return { compiler: `solc ${loadSolc().version()}`, input, contracts: runSolc(input, noImport) }
}

/** Compiles an input that contains all its sources. Throws Error for errors, not for warnings. */
export const compileInput = (input: StandardInput): Compilation['contracts'] =>
  runSolc(input, noImport, 'error')

const noImport: ReadImport = () => ({ error: 'The input does not contain this source.' })

const inputOf = (
  sources: StandardInput['sources'],
  settings: StandardInput['settings'],
): StandardInput => ({ language: 'Solidity', sources, settings })

const runSolc = (
  input: StandardInput,
  readImport: ReadImport,
  refused: 'error' | 'warning' = 'warning',
): Compilation['contracts'] => {
  const text = loadSolc().compile(JSON.stringify(input), { import: readImport })
  const { errors: all = [], contracts = {} } = readOutput(text)
  const errors = all.filter(
    ({ severity, errorCode }) =>
      severity === 'error' || (refused === 'warning' && errorCode !== TRANSIENT_STORAGE),
  )
  if (errors.length > 0) throw new Error(errors.map((one) => one.formattedMessage).join('\n'))
  return contracts
}

/** The import order depends on the compiler, and the stored file must not. */
const sorted = (input: StandardInput): StandardInput => ({
  ...input,
  sources: Object.fromEntries(
    Object.entries(input.sources).sort(([one], [other]) => (one < other ? -1 : 1)),
  ),
})

/** Paths of packages begin with @, other paths are relative to this folder. */
const readSource = (path: string): string =>
  readFileSync(
    path.startsWith('@')
      ? createRequire(import.meta.url).resolve(path)
      : join(import.meta.dirname, path),
    'utf8',
  )

// `solc` has no types. It is large, so it is loaded only for a compilation.
const loadSolc = (): Solc => createRequire(import.meta.url)('solc') as Solc

// Solidity documents this form under "Compiler Input and Output JSON Description".
const readOutput = (text: string): Output => JSON.parse(text) as Output
