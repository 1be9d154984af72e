import { readFileSync } from 'node:fs'
import {
  dataLength,
  getCreate2Address,
  getCreateAddress,
  Interface,
  type InterfaceAbi,
  id,
  keccak256,
} from 'ethers'
import { expect, test } from 'vitest'
import {
  artifactPath,
  compileContract,
  contractNames,
  escrowDeployment,
  escrowInput,
} from '../../../contracts-abi/build.ts'
import {
  encodeAddressAmount,
  escrow,
  escrowCode,
  escrowCreationCode,
  escrowFactory,
  selectors,
} from '../../../contracts-abi/index.ts'
import { aggregatorV3Abi, testAggregator } from '../../../contracts-abi/test-contracts.ts'

const ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const stored = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../contracts-abi/${path}`, import.meta.url), 'utf8'))

// The compiler blocks its process for 15 s, or longer on a busy machine.
const COMPILATION = { timeout: 180_000 }

test.each(contractNames())(
  'compiling %s again gives exactly what is stored',
  COMPILATION,
  (name) => {
    expect(compileContract(name)).toEqual(stored(artifactPath(name)))
  },
)

test('the stored addresses of the escrow are those of the compiled code', () => {
  expect(escrowDeployment()).toEqual(stored('escrow/deployment.json'))
  const { deploymentProxy, address, initCodeHash, bytecode, implementation } = escrowFactory
  expect(keccak256(bytecode)).toBe(initCodeHash)
  const predicted = getCreate2Address(deploymentProxy, escrowFactory.escrowSalt, initCodeHash)
  expect(predicted.toLowerCase()).toBe(address)
  expect(getCreateAddress({ from: address, nonce: 1 }).toLowerCase()).toBe(implementation)
  expect(keccak256(escrowFactory.deployedBytecode)).toBe(escrowFactory.codeHash)
  expect(keccak256(escrow.deployedBytecode)).toBe(escrow.codeHash)
})

test('the input for block explorers is the input that gives the stored bytes', () => {
  expect(stored('escrow/standard-input.json')).toEqual(escrowInput())
})

test('the creation code of an escrow returns its code', () => {
  const terms = `0x${'ab'.repeat(242)}` as const
  const code = escrowCode(terms)
  expect(dataLength(code)).toBe(45 + 242)
  expect(escrowCreationCode(terms)).toBe(`0x61011f3d81600a3d39f3${code.slice(2)}`)
})

test('selectors are the first four bytes of the hashed signatures', () => {
  const selector = (signature: string) => id(signature).slice(0, 10)
  expect(selectors).toEqual({
    mint: selector('mint(address,uint256)'),
    transfer: selector('transfer(address,uint256)'),
    balanceOf: selector('balanceOf(address)'),
    isSanctioned: selector('isSanctioned(address)'),
    latestRoundData: selector('latestRoundData()'),
    getRoundData: selector('getRoundData(uint80)'),
    decimals: selector('decimals()'),
    description: selector('description()'),
  })
})

test('the feed that tests write to answers as a feed does', () => {
  const feed = new Interface(aggregatorV3Abi)
  const own = new Interface(testAggregator.abi as InterfaceAbi)
  for (const name of ['decimals', 'description', 'latestRoundData', 'getRoundData']) {
    expect(own.getFunction(name)?.format('minimal')).toBe(feed.getFunction(name)?.format('minimal'))
  }
})

test('encodes an address and an amount as two words, and refuses what does not fit', () => {
  expect(encodeAddressAmount(selectors.transfer, ACCOUNT, 255n)).toBe(
    `0xa9059cbb${'0'.repeat(24)}${ACCOUNT.slice(2).toLowerCase()}${'0'.repeat(62)}ff`,
  )
  expect(() => encodeAddressAmount(selectors.transfer, '0x12', 1n)).toThrow(RangeError)
  expect(() => encodeAddressAmount(selectors.transfer, ACCOUNT, -1n)).toThrow(RangeError)
  expect(() => encodeAddressAmount(selectors.transfer, ACCOUNT, 2n ** 256n)).toThrow(RangeError)
})
