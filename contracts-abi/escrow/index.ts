import { DEPLOYMENT_PROXY, FACTORY_SALT, type Hex } from './addresses.ts'
import escrowArtifact from './CampaignEscrow.json' with { type: 'json' }
import factoryArtifact from './CampaignEscrowFactory.json' with { type: 'json' }
import deployment from './deployment.json' with { type: 'json' }

/** Casts texts of JSON modules, which have the type `string`. They begin with 0x. */
const asHex = (text: string): Hex => text as Hex

/** The factory. It has the same address and code on every chain. */
export const escrowFactory = {
  abi: factoryArtifact.abi,
  address: asHex(deployment.factory),
  /** The account to which the deployment goes, with `deploymentData`. */
  deploymentProxy: DEPLOYMENT_PROXY,
  deploymentData: asHex(`${FACTORY_SALT}${factoryArtifact.bytecode.slice(2)}`),
  bytecode: asHex(factoryArtifact.bytecode),
  initCodeHash: asHex(deployment.initCodeHash),
  deployedBytecode: asHex(factoryArtifact.deployedBytecode),
  codeHash: asHex(deployment.factoryCodeHash),
  /** The address of the code that all escrows run. */
  implementation: asHex(deployment.implementation),
  /** The salt of every escrow. Its address depends on its terms only. */
  escrowSalt: FACTORY_SALT,
} as const

/** An escrow. Its own code is {@link escrowCode}, which delegates to the implementation. */
export const escrow = {
  abi: escrowArtifact.abi,
  /** The code of the implementation. */
  deployedBytecode: asHex(escrowArtifact.deployedBytecode),
  codeHash: asHex(deployment.implementationCodeHash),
  /** The EIP-712 domain, to which the chain id and the escrow's address are added. */
  domain: { name: 'Fundproof Escrow', version: '1' },
} as const

const PROXY_CODE =
  `363d3d373d3d3d363d73${deployment.implementation.slice(2)}5af43d82803e903d91602b57fd5bf3` as const

/**
 * The code at the address of a deployed escrow: a minimal proxy (ERC-1167) and then the terms.
 *
 * @param terms the packed terms
 */
export const escrowCode = (terms: Hex): Hex => `0x${PROXY_CODE}${terms.slice(2)}`

/** The creation code of an escrow. Its hash, the factory and the salt give the escrow's address. */
export const escrowCreationCode = (terms: Hex): Hex => {
  const code = escrowCode(terms).slice(2)
  const length = (code.length / 2).toString(16).padStart(4, '0')
  return `0x61${length}3d81600a3d39f3${code}`
}
