import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type Compilation,
  type CompiledContract,
  compileSource,
  type Settings,
  type StandardInput,
} from './compile.ts'
import { addressesOf, type Hex, keccak256 } from './escrow/addresses.ts'

/** A compiled contract, with all data that is needed to compile it again to the same bytes. */
export type Artifact = {
  contract: string
  provenance: {
    source: string
    sourceSha256: string
    /** The SHA-256 of every source of the compilation, if there is more than one. */
    sources?: Record<string, string>
    compiler: string
    settings: Settings
    rebuild: string
  }
  abi: unknown[]
  bytecode: Hex
  /** The code on the chain. Immutable values are filled in. */
  deployedBytecode: Hex
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
  WalletProbe: 'WalletProbe.sol',
  CampaignEscrow: 'escrow/CampaignEscrow.sol',
  CampaignEscrowFactory: 'escrow/CampaignEscrowFactory.sol',
} as const satisfies Record<string, string>
export type ContractName = keyof typeof CONTRACTS

const SETTINGS: Settings = { optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun' }

/**
 * The hash of the metadata would change the escrow's addresses with each comment. The compiler's
 * intermediate language (Yul) makes the escrow a fifth smaller.
 */
export const ESCROW_SETTINGS: Settings = {
  ...SETTINGS,
  viaIR: true,
  metadata: { bytecodeHash: 'none' },
}

/** Code of `eth_call` runs on all chains, so it uses only instructions that most chains have. */
const settingsOf = (source: string): Settings => {
  if (source.startsWith('escrow/')) return ESCROW_SETTINGS
  const isCalled = source === CONTRACTS.SignatureValidator || source === CONTRACTS.WalletProbe
  return isCalled ? { ...SETTINGS, evmVersion: 'london' } : SETTINGS
}

/**
 * Compiles a contract with the `solc` package (Solidity's standard JSON input and output).
 *
 * @throws Error with the compiler's messages, warnings included
 */
export const compileContract = (name: ContractName): Artifact => {
  const source = CONTRACTS[name]
  const isEscrow = source.startsWith('escrow/')
  const settings = settingsOf(source)
  const compilation = isEscrow ? compileEscrow() : compileSource(source, settings)
  const { abi, evm } = contractOf(compilation, name)
  const hashes = Object.entries(compilation.input.sources).map(
    ([path, { content }]) => [path, createHash('sha256').update(content).digest('hex')] as const,
  )
  return {
    contract: name,
    provenance: {
      source,
      sourceSha256: hashes.find(([path]) => path === source)?.[1] ?? '',
      ...(hashes.length === 1 ? {} : { sources: Object.fromEntries(hashes) }),
      compiler: compilation.compiler,
      settings,
      rebuild: 'npm run contracts',
    },
    abi,
    bytecode: `0x${evm.bytecode.object}`,
    deployedBytecode: isEscrow
      ? deployedEscrowCode(compilation, name)
      : `0x${evm.deployedBytecode.object}`,
  }
}

/** The input for block explorers that verify the factory and the escrow. */
export const escrowInput = (): StandardInput => compileEscrow().input

/** The addresses and code hashes of the factory and of the code that all escrows run. */
export const escrowDeployment = () => {
  const compilation = compileEscrow()
  return {
    ...escrowAddresses(compilation),
    factoryCodeHash: keccak256(deployedEscrowCode(compilation, 'CampaignEscrowFactory')),
    implementationCodeHash: keccak256(deployedEscrowCode(compilation, 'CampaignEscrow')),
  }
}

let escrowCompilation: Compilation | undefined
/** Compiles the factory, which contains the escrow, once for both. */
const compileEscrow = (): Compilation => {
  escrowCompilation ??= compileSource(CONTRACTS.CampaignEscrowFactory, ESCROW_SETTINGS)
  return escrowCompilation
}

const escrowAddresses = (compilation: Compilation) =>
  addressesOf(`0x${contractOf(compilation, 'CampaignEscrowFactory').evm.bytecode.object}`)

/** Every immutable value of the two contracts is the address of the implementation. */
const deployedEscrowCode = (compilation: Compilation, name: ContractName): Hex => {
  const { object, immutableReferences } = contractOf(compilation, name).evm.deployedBytecode
  const value = escrowAddresses(compilation).implementation.slice(2).padStart(64, '0')
  const code = Object.values(immutableReferences)
    .flat()
    .reduce(
      (text, { start }) => text.slice(0, 2 * start) + value + text.slice(2 * start + 64),
      object,
    )
  return `0x${code}`
}

const contractOf = (compilation: Compilation, name: ContractName): CompiledContract => {
  const compiled = compilation.contracts[CONTRACTS[name]]?.[name]
  if (!compiled) throw new Error(`solc did not return ${name}.`)
  return compiled
}

// The cast is needed, because `Object.keys` returns `string[]`.
export const contractNames = (): ContractName[] => Object.keys(CONTRACTS) as ContractName[]

/** The path of a stored artifact in this folder, beside its source. */
export const artifactPath = (name: ContractName): string =>
  join(dirname(CONTRACTS[name]), `${name}.json`)

if (import.meta.main) {
  const write = (path: string, content: unknown): void =>
    writeFileSync(join(import.meta.dirname, path), `${JSON.stringify(content, null, 2)}\n`)
  for (const name of contractNames()) {
    const artifact = compileContract(name)
    write(artifactPath(name), artifact)
    console.log(`${artifactPath(name)}: ${artifact.provenance.compiler}`)
  }
  write('escrow/deployment.json', escrowDeployment())
  write('escrow/standard-input.json', escrowInput())
}
