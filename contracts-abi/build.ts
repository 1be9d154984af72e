import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** A compiled contract with all that is needed to compile it again to the same bytes. */
export type Artifact = {
  contract: string
  provenance: {
    source: string
    sourceSha256: string
    compiler: string
    settings: typeof SETTINGS
    rebuild: string
  }
  abi: unknown[]
  bytecode: `0x${string}`
  deployedBytecode: `0x${string}`
}

const NAME = 'TestToken'
const SOURCE = `${NAME}.sol`
const SETTINGS = { optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun' } as const

type Solc = { version(): string; compile(input: string): string }
type CompiledContract = {
  abi: unknown[]
  evm: { bytecode: { object: string }; deployedBytecode: { object: string } }
}
type Output = {
  errors?: { formattedMessage: string }[]
  contracts?: Record<string, Record<string, CompiledContract>>
}

/**
 * Compiles the test token with the `solc` package (Solidity's standard JSON input and output).
 *
 * @throws Error with the compiler's messages, warnings included
 */
export const compileTestToken = (): Artifact => {
  const compiler = loadSolc()
  const content = readFileSync(join(import.meta.dirname, SOURCE), 'utf8')
  const outputs = ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object']
  const input = {
    language: 'Solidity',
    sources: { [SOURCE]: { content } },
    settings: { ...SETTINGS, outputSelection: { '*': { '*': outputs } } },
  }
  const output = readOutput(compiler.compile(JSON.stringify(input)))
  const compiled = output.contracts?.[SOURCE]?.[NAME]
  if (output.errors?.length || !compiled) {
    const messages = output.errors?.map((error) => error.formattedMessage)
    throw new Error(messages?.join('\n') ?? `solc did not return ${NAME}.`)
  }
  return {
    contract: NAME,
    provenance: {
      source: SOURCE,
      sourceSha256: createHash('sha256').update(content).digest('hex'),
      compiler: `solc ${compiler.version()}`,
      settings: SETTINGS,
      rebuild: 'npm run contracts',
    },
    abi: compiled.abi,
    bytecode: `0x${compiled.evm.bytecode.object}`,
    deployedBytecode: `0x${compiled.evm.deployedBytecode.object}`,
  }
}

// The package has no types, and is large: loaded only when something is compiled.
const loadSolc = (): Solc => createRequire(import.meta.url)('solc') as Solc

// The compiler documents its output's form: "Compiler Input and Output JSON Description".
const readOutput = (text: string): Output => JSON.parse(text) as Output

if (import.meta.main) {
  const artifact = compileTestToken()
  writeFileSync(join(import.meta.dirname, `${NAME}.json`), `${JSON.stringify(artifact, null, 2)}\n`)
  console.log(`${NAME}.json: ${artifact.provenance.compiler}`)
}
