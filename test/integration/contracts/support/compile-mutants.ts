import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ESCROW_SETTINGS } from '../../../../contracts-abi/build.ts'
import { compileInput, type StandardInput } from '../../../../contracts-abi/compile.ts'
import { MUTANTS, type Mutant } from '../../../contracts/mutants.ts'
import { OUT, ROOT } from './forge.ts'

/** Variants that are compiled together, because OpenZeppelin's sources are then read only once. */
const BATCH = 13
/**
 * Turns off the optimizer, because the behaviour is the same and compilation takes a tenth of the
 * time.
 */
const UNOPTIMIZED = { optimizer: { enabled: false, runs: 0 }, viaIR: false }
const FACTORY = 'CampaignEscrowFactory'

/**
 * The path of a mutant's stored factory. Without an index: the path of the factory without a fault.
 */
export const factoryPath = (index?: number): string =>
  join(OUT, 'mutants', `${index ?? 'none'}.json`)

type Variant = { path: string; mutant?: Mutant }

/** Puts the sources of each variant into a folder. All variants share OpenZeppelin's sources. */
const sourcesOf = ({ mutant }: Variant, folder: string, sources: StandardInput['sources']) =>
  Object.entries(sources).map(([path, { content }]) => {
    if (!path.startsWith('escrow/')) return [path, { content }] as const
    const isMutated = path === `escrow/${mutant?.file ?? 'CampaignEscrow.sol'}`
    return [
      `${folder}/${path}`,
      { content: isMutated ? change(content, mutant) : content },
    ] as const
  })

const change = (content: string, mutant: Mutant | undefined): string => {
  if (!mutant) return content
  const parts = content.split(mutant.from)
  if (parts.length !== 2) throw new Error(`${mutant.name}: not once in its file.`)
  return parts.join(mutant.to)
}

const compileBatch = (variants: readonly Variant[], sources: StandardInput['sources']): void => {
  const entries = variants.flatMap((variant, index) => sourcesOf(variant, `m${index}`, sources))
  const sourceOf = (index: number) => `m${index}/escrow/${FACTORY}.sol`
  const outputSelection = Object.fromEntries(
    variants.map((_, index) => [sourceOf(index), { [FACTORY]: ['evm.bytecode.object'] }]),
  )
  const contracts = compileInput({
    language: 'Solidity',
    sources: Object.fromEntries(entries),
    settings: { ...ESCROW_SETTINGS, ...UNOPTIMIZED, outputSelection },
  })
  for (const [index, { path }] of variants.entries()) {
    const code = contracts[sourceOf(index)]?.[FACTORY]?.evm.bytecode.object
    writeFileSync(path, JSON.stringify({ bytecode: `0x${code}` }))
  }
}

mkdirSync(join(OUT, 'mutants'), { recursive: true })
const stored = join(ROOT, 'contracts-abi/escrow/standard-input.json')
const { sources } = JSON.parse(readFileSync(stored, 'utf8')) as StandardInput
const variants: Variant[] = [
  { path: factoryPath() },
  ...MUTANTS.map((mutant, index) => ({ path: factoryPath(index), mutant })),
]
for (let at = 0; at < variants.length; at += BATCH) {
  compileBatch(variants.slice(at, at + BATCH), sources)
}
