import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** A compiled contract, with all data that is needed to compile it again to the same bytes. */
export type Artifact = {
  contract: string
  provenance: {
    source: string
    sourceSha256: string
    compiler: string
    settings: Settings
    rebuild: string
  }
  abi: unknown[]
  bytecode: `0x${string}`
  deployedBytecode: `0x${string}`
}

/** The contracts that this folder stores compiled, and the source file of each. */
export const CONTRACTS = {
  TestToken: 'TestToken.sol',
  TestWallet: 'TestWallet.sol',
  TestWalletFactory: 'TestWallet.sol',
  TestSanctions: 'TestSanctions.sol',
  TestAggregator: 'TestAggregator.sol',
  TestFeeToken: 'TestTokens.sol',
  TestFalseToken: 'TestTokens.sol',
  TestNft: 'TestTokens.sol',
  TestRouter: 'TestPayments.sol',
  TestNativeLog: 'TestPayments.sol',
  TestSafe: 'TestPayments.sol',
  TestAccount: 'TestPayments.sol',
  TestEntryPointV06: 'TestPayments.sol',
  TestEntryPointV07: 'TestPayments.sol',
  TestMulticall: 'TestLoops.sol',
  TestWrapped: 'TestLoops.sol',
  SignatureValidator: 'SignatureValidator.sol',
} as const satisfies Record<string, string>
export type ContractName = keyof typeof CONTRACTS

type Settings = { optimizer: { enabled: boolean; runs: number }; evmVersion: string }

/** SignatureValidator runs on all chains, so it uses only instructions that most chains have. */
const settingsOf = (name: ContractName): Settings => ({
  optimizer: { enabled: true, runs: 200 },
  evmVersion: name === 'SignatureValidator' ? 'london' : 'cancun',
})

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
 * Compiles a contract with the `solc` package (Solidity's standard JSON input and output).
 *
 * @throws Error with the compiler's messages, warnings included
 */
export const compileContract = (name: ContractName): Artifact => {
  const compiler = loadSolc()
  const source = CONTRACTS[name]
  const settings = settingsOf(name)
  const content = readFileSync(join(import.meta.dirname, source), 'utf8')
  const outputs = ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object']
  const input = {
    language: 'Solidity',
    sources: { [source]: { content } },
    settings: { ...settings, outputSelection: { '*': { '*': outputs } } },
  }
  const output = readOutput(compiler.compile(JSON.stringify(input)))
  const compiled = output.contracts?.[source]?.[name]
  if (output.errors?.length || !compiled) {
    const messages = output.errors?.map((error) => error.formattedMessage)
    throw new Error(messages?.join('\n') ?? `solc did not return ${name}.`)
  }
  return {
    contract: name,
    provenance: {
      source,
      sourceSha256: createHash('sha256').update(content).digest('hex'),
      compiler: `solc ${compiler.version()}`,
      settings,
      rebuild: 'npm run contracts',
    },
    abi: compiled.abi,
    bytecode: `0x${compiled.evm.bytecode.object}`,
    deployedBytecode: `0x${compiled.evm.deployedBytecode.object}`,
  }
}

// `solc` has no types. It is large, so it is loaded only for a compilation.
const loadSolc = (): Solc => createRequire(import.meta.url)('solc') as Solc

// Solidity documents this form under "Compiler Input and Output JSON Description".
const readOutput = (text: string): Output => JSON.parse(text) as Output

// The cast is needed, because `Object.keys` returns `string[]`.
export const contractNames = (): ContractName[] => Object.keys(CONTRACTS) as ContractName[]

if (import.meta.main) {
  for (const name of contractNames()) {
    const artifact = compileContract(name)
    const path = join(import.meta.dirname, `${name}.json`)
    writeFileSync(path, `${JSON.stringify(artifact, null, 2)}\n`)
    console.log(`${name}.json: ${artifact.provenance.compiler}`)
  }
}
